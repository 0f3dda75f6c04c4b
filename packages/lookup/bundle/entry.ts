export { toHex } from "@x/sha256-prefix";
export { readingHashes } from "../src/url-hashes.ts";
