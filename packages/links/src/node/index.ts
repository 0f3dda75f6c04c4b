export { checkedLookup, isLoopbackAddress, isPublicAddress } from "./public-address.ts";
export { type PublicFetchOptions, publicFetch } from "./public-fetch.ts";
