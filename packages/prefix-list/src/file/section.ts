import { MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "../error.ts";
import { firstWords, type RawHashes, unsortedAt } from "../raw-hashes/raw-hashes.ts";
import { viewOf } from "../raw-hashes/words.ts";
import { decodeDeltas, encodeDeltas, riceParameterFor } from "../rice/codes.ts";
import { REMOVALS, restBytesOf, type Section } from "./layout.ts";
import type { ReadSection } from "./read-sections.ts";

const NOTHING = new Uint8Array(0);

/** The values of 4-byte prefixes are all different; several longer prefixes may begin with the same four bytes. */
function leastDelta(prefixBytes: number): 0 | 1 {
  return prefixBytes <= MIN_PREFIX_BYTES ? 1 : 0;
}

function parameterFor(values: Uint32Array): number {
  return riceParameterFor(values.length - 1, values[values.length - 1]! - values[0]!);
}

function encodeValues(prefixBytes: number, values: Uint32Array, rest: Uint8Array): Section {
  const riceParameter = parameterFor(values);
  const coded = encodeDeltas(values, riceParameter);
  const firstValue = values[0]!;
  return { prefixBytes, riceParameter, count: values.length, firstValue, coded, rest };
}

function decodeValues(section: ReadSection): Uint32Array {
  const { prefixBytes, riceParameter, count, firstValue, coded, offset } = section;
  const least = leastDelta(prefixBytes);
  const values = decodeDeltas(firstValue, riceParameter, count - 1, coded, least);
  if (typeof values === "number") {
    throw new PrefixListError("body-damaged", "The codes are damaged", offset + values);
  }
  // Each list has only one encoding.
  if (riceParameter !== parameterFor(values)) {
    const message = `The Rice parameter is ${riceParameter}, not ${parameterFor(values)}`;
    throw new PrefixListError("body-damaged", message, offset);
  }
  return values;
}

export function encodeRemovals(removals: Uint32Array): Section {
  return encodeValues(REMOVALS, removals, NOTHING);
}

export function decodeRemovals(section: ReadSection): Uint32Array {
  return decodeValues(section);
}

export function encodePrefixes(group: RawHashes): Section {
  const { prefixBytes, rawHashes } = group;
  const words = firstWords(group);
  const restBytes = restBytesOf(prefixBytes);
  const rest = new Uint8Array(words.length * restBytes);
  for (let i = 0; i < words.length; i++) {
    for (let k = 0; k < restBytes; k++) {
      rest[i * restBytes + k] = rawHashes[i * prefixBytes + MIN_PREFIX_BYTES + k]!;
    }
  }
  return encodeValues(prefixBytes, words, rest);
}

export function decodePrefixes(section: ReadSection): RawHashes {
  const { prefixBytes, coded, rest, offset } = section;
  const words = decodeValues(section);
  const rawHashes = new Uint8Array(words.length * prefixBytes);
  const view = viewOf(rawHashes);
  const restBytes = restBytesOf(prefixBytes);
  for (let i = 0; i < words.length; i++) {
    const at = i * prefixBytes;
    view.setUint32(at, words[i]!);
    for (let k = 0; k < restBytes; k++) {
      rawHashes[at + MIN_PREFIX_BYTES + k] = rest[i * restBytes + k]!;
    }
  }
  const group = { prefixBytes, rawHashes };
  const unsorted = leastDelta(prefixBytes) === 1 ? -1 : unsortedAt(group);
  if (unsorted >= 0) {
    const index = offset + coded.length + unsorted * restBytes;
    throw new PrefixListError("body-damaged", "The prefixes are out of order", index);
  }
  return group;
}
