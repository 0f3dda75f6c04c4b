import type { RawHashes } from "./raw-hashes.ts";
import { viewOf } from "./word.ts";

/** The first four octets of each prefix as a number; these numbers sort as the octets do. */
export function firstWords({ prefixSize, rawHashes }: RawHashes): Uint32Array {
  const view = viewOf(rawHashes);
  const words = new Uint32Array(rawHashes.length / prefixSize);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * prefixSize);
  return words;
}
