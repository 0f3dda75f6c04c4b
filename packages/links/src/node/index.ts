export { type AddressRule, checkedLookup } from "./checked-lookup.ts";
export { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
export { type PublicFetch, type PublicFetchOptions, publicFetch } from "./public-fetch.ts";
