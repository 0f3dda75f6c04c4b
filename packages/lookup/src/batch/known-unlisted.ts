import { copyText, isSameText } from "./texts.ts";

// This module uses only numbers and typed arrays, so that it also compiles to WebAssembly.
//
// Remembers short expressions that end in a slash and are on no list. Many URLs share such expressions, so remembering
// them saves much hashing. Each text has one possible slot, and a slot holds the latest text.

/** The length of a slot, which has one byte for the length of the text, and then the text. */
const SLOT_BYTES = 32;
const MAX_TEXT_BYTES = 31;
const SLOT_BITS = 12;

/** The length of all slots in bytes. The first slot is never used: its index stands for "none". */
export const KNOWN_BYTES: number = SLOT_BYTES << SLOT_BITS;

const SLASH = 0x2f;

/**
 * Drops the expressions that are known to be on no list from those at the indices `from` to `to` of `starts` and
 * `ends`. The others move up, and the index of the slot of each, or 0, is written into `slots`. Returns the index after
 * the last expression left.
 */
export function dropKnown(
  bytes: Uint8Array,
  starts: Uint32Array,
  ends: Uint32Array,
  slots: Uint32Array,
  known: Uint8Array,
  from: number,
  to: number,
): number {
  let next = from;
  for (let i = from; i < to; i++) {
    const start = starts[i]!;
    const end = ends[i]!;
    const slot = slotOf(bytes, start, end);
    if (slot !== 0 && holds(known, slot * SLOT_BYTES, bytes, start, end - start)) continue;
    starts[next] = start;
    ends[next] = end;
    slots[next++] = slot;
  }
  return next;
}

/** Puts the texts of the first `count` expressions into their slots, except those whose slot is 0. */
export function remember(
  bytes: Uint8Array,
  starts: Uint32Array,
  ends: Uint32Array,
  slots: Uint32Array,
  known: Uint8Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const at = slots[i]! * SLOT_BYTES;
    if (at === 0) continue;
    const start = starts[i]!;
    const length = ends[i]! - start;
    known[at] = length;
    copyText(bytes, start, length, known, at + 1);
  }
}

/** The index of the slot of a text, or 0 for a text that is never remembered. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length > MAX_TEXT_BYTES || bytes[end - 1] !== SLASH) return 0;
  // The length and seven bytes are enough to distinguish most texts. Every text has at least two bytes, as "a/" does.
  const quarter = length >> 2;
  const middle = start + (length >> 1);
  const key =
    length ^
    (bytes[start]! << 5) ^
    (bytes[start + (length >> 3)]! << 8) ^
    (bytes[start + quarter]! << 11) ^
    (bytes[middle - 1]! << 14) ^
    (bytes[middle]! << 18) ^
    (bytes[middle + quarter]! << 22) ^
    (bytes[end - 2]! << 25);
  return Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

/** Whether the slot at index `at` holds this text. */
function holds(
  known: Uint8Array,
  at: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): boolean {
  return known[at] === length && isSameText(bytes, start, length, known, at + 1);
}
