import { MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "./error.ts";
import { REMOVALS, restBytes, type Section } from "./file-layout.ts";
import { firstWords } from "./first-words.ts";
import type { RawHashes } from "./raw-hashes.ts";
import type { ReadSection } from "./read-file.ts";
import { riceDecode, riceEncode } from "./rice.ts";
import { unsortedAt } from "./unsorted-at.ts";
import { viewOf } from "./word.ts";

/** Prefixes of four octets are a set of numbers; of longer ones several may begin with the same four. */
function isStrict(prefixBytes: number): boolean {
  return prefixBytes <= MIN_PREFIX_BYTES;
}

function encodeNumbers(prefixBytes: number, words: Uint32Array, rest: Uint8Array): Section {
  const { parameter, octets } = riceEncode(words, isStrict(prefixBytes));
  return { prefixBytes, parameter, count: words.length, coded: octets, rest };
}

function decodeNumbers({ prefixBytes, parameter, count, coded, offset }: ReadSection): Uint32Array {
  const words = riceDecode({ parameter, octets: coded }, count, isStrict(prefixBytes));
  if (typeof words === "number") {
    throw new PrefixListError("body-damaged", "The coded prefixes are damaged", offset + words);
  }
  return words;
}

export function encodeRemovals(removals: Uint32Array): Section {
  return encodeNumbers(REMOVALS, removals, new Uint8Array(0));
}

export function decodeRemovals(section: ReadSection): Uint32Array {
  return decodeNumbers(section);
}

export function encodePrefixes(batch: RawHashes): Section {
  const { prefixSize: prefixBytes, rawHashes } = batch;
  const words = firstWords(batch);
  const restSize = restBytes(prefixBytes);
  const rest = new Uint8Array(words.length * restSize);
  for (let i = 0; i < words.length; i++) {
    for (let k = 0; k < restSize; k++) {
      rest[i * restSize + k] = rawHashes[i * prefixBytes + MIN_PREFIX_BYTES + k]!;
    }
  }
  return encodeNumbers(prefixBytes, words, rest);
}

export function decodePrefixes(section: ReadSection): RawHashes {
  const { prefixBytes, coded, rest, offset } = section;
  const words = decodeNumbers(section);
  const rawHashes = new Uint8Array(words.length * prefixBytes);
  const view = viewOf(rawHashes);
  const restSize = restBytes(prefixBytes);
  for (let i = 0; i < words.length; i++) {
    const at = i * prefixBytes;
    view.setUint32(at, words[i]!);
    for (let k = 0; k < restSize; k++) {
      rawHashes[at + MIN_PREFIX_BYTES + k] = rest[i * restSize + k]!;
    }
  }
  const batch = { prefixSize: prefixBytes, rawHashes };
  const unsorted = isStrict(prefixBytes) ? -1 : unsortedAt(batch);
  if (unsorted >= 0) {
    const at = offset + coded.length + unsorted * restSize;
    throw new PrefixListError("body-damaged", "The prefixes are out of order", at);
  }
  return batch;
}
