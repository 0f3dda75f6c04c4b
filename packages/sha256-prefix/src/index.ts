export { FULL_HASH_BYTES } from "./digest.ts";
export { Sha256PrefixError, type Sha256PrefixErrorCode } from "./error.ts";
export {
  type FullHash,
  fullHash,
  type HashPrefix,
  hashPrefix,
  MAX_PREFIX_BYTES,
  MIN_PREFIX_BYTES,
  truncatedSha256Prefix,
} from "./hashes.ts";
export { fromHex, toHex } from "./hex.ts";
export { isUint8Array } from "./uint8-array.ts";
