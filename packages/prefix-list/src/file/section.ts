import { MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "../error.ts";
import {
  firstWords,
  putRests,
  type RawHashes,
  restsOf,
  unsortedAt,
} from "../raw-hashes/raw-hashes.ts";
import { viewOf } from "../raw-hashes/words.ts";
import { decodeDeltas, encodeDeltas, riceParameterFor } from "../rice/delta-codes.ts";
import { REMOVALS, restBytesOf, type Section } from "./list-file-format.ts";
import type { ReadSection } from "./read-sections.ts";

/**
 * The smallest delta between two values. Indices and 4-byte prefixes are distinct, but several longer prefixes may
 * begin with the same four bytes.
 */
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

/** The values of a section, which are removals or the first four bytes of prefixes. */
export function decodeValues(section: ReadSection): Uint32Array {
  const { prefixBytes, riceParameter, count, firstValue, coded, offset } = section;
  const least = leastDelta(prefixBytes);
  const values = decodeDeltas(firstValue, riceParameter, count - 1, coded, least);
  if (typeof values === "number") {
    throw new PrefixListError("body-damaged", "The codes are damaged", offset + values);
  }
  // Other parameters are refused, so that each list has only one encoding.
  if (riceParameter !== parameterFor(values)) {
    const message = `The Rice parameter is ${riceParameter}, not ${parameterFor(values)}`;
    throw new PrefixListError("body-damaged", message, offset);
  }
  return values;
}

export function encodeRemovals(removals: Uint32Array): Section {
  return encodeValues(REMOVALS, removals, new Uint8Array(0));
}

export function encodePrefixes(group: RawHashes): Section {
  return encodeValues(group.prefixBytes, firstWords(group), restsOf(group));
}

export function decodePrefixes(section: ReadSection): RawHashes {
  const { prefixBytes, coded, rest, offset } = section;
  const words = decodeValues(section);
  const group = { prefixBytes, rawHashes: new Uint8Array(words.length * prefixBytes) };
  const view = viewOf(group.rawHashes);
  for (let i = 0; i < words.length; i++) view.setUint32(i * prefixBytes, words[i]!);
  putRests(group, rest);
  const unsorted = leastDelta(prefixBytes) === 1 ? -1 : unsortedAt(group);
  if (unsorted >= 0) {
    const index = offset + coded.length + unsorted * restBytesOf(prefixBytes);
    throw new PrefixListError("body-damaged", "The prefixes are out of order", index);
  }
  return group;
}
