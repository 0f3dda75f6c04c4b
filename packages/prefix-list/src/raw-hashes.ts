export { firstWords, unsortedAt } from "./raw-hashes/raw-hashes.ts";
export { compareBytes, wordAt } from "./raw-hashes/words.ts";
