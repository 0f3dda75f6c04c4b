export { countEntries, firstWords, unsortedAt } from "./raw-hashes/raw-hashes.ts";
export { sortFullHashes } from "./raw-hashes/sort-full-hashes.ts";
export { sortPrefixes } from "./raw-hashes/sort-prefixes.ts";
export { compareBytes, concatBytes, viewOf, wordAt } from "./raw-hashes/words.ts";
