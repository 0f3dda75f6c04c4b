export { rawHashesInPart } from "./prefix-list.ts";
export {
  compareBytes,
  concatBytes,
  countEntries,
  firstWords,
  unsortedAt,
  viewOf,
  wordAt,
} from "./raw-hashes/raw-hashes.ts";
export { sortFullHashes, sortPrefixes } from "./raw-hashes/sort-prefixes.ts";
