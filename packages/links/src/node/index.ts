export { checkedLookup } from "./checked-lookup.ts";
export { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
export { type PublicFetchOptions, publicFetch } from "./public-fetch.ts";
