export {
  checkedLookup,
  isLoopbackAddress,
  isPublicAddress,
  type PublicFetchOptions,
  publicFetch,
} from "./public-fetch.ts";
