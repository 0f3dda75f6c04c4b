// The first steps from the bytes of a URL to its verdict, in AssemblyScript. They verify that the URL is canonical,
// form its expressions, and leave out those that are known to be on no list. The rules are in the modules imported
// here, which also run as JavaScript. `build.js` compiles this module and its imports.
import { findCanonicalParts } from "../../canon/src/canonical-parts";
import { keepHost, lastTwoLabels, writePairs } from "../../expressions/src/host-path-pairs";
import { dropKnown, remember as rememberTexts } from "../src/batch/known-unlisted";
import type { Bytes, CanonicalSpans, Words } from "./types";

let bytes: Bytes = changetype<Bytes>(0);
let classes: Bytes = changetype<Bytes>(0);
let known: Bytes = changetype<Bytes>(0);
let starts: Words = changetype<Words>(0);
let ends: Words = changetype<Words>(0);
let slots: Words = changetype<Words>(0);
let spans: CanonicalSpans = changetype<CanonicalSpans>(0);

/** Sets the addresses of the arrays, and of 16 free bytes. */
export function place(
  bytesAt: usize,
  classesAt: usize,
  knownAt: usize,
  startsAt: usize,
  endsAt: usize,
  slotsAt: usize,
  spansAt: usize,
): void {
  bytes = changetype<Bytes>(bytesAt);
  classes = changetype<Bytes>(classesAt);
  known = changetype<Bytes>(knownAt);
  starts = changetype<Words>(startsAt);
  ends = changetype<Words>(endsAt);
  slots = changetype<Words>(slotsAt);
  spans = changetype<CanonicalSpans>(spansAt);
}

/**
 * Appends the expressions of the URL from `start` to `end` to the first `count`, except those known to be on no list.
 * Returns the new count, or -1 when the URL is not already canonical. `onlyHost` leaves out the expressions with a
 * path.
 */
export function add(start: i32, end: i32, count: i32, onlyHost: bool): i32 {
  if (!findCanonicalParts(bytes, start, end, classes, spans)) return -1;
  if (onlyHost) keepHost(spans);
  const shortest = lastTwoLabels(bytes, spans.host, spans.path);
  const added = writePairs(bytes, spans, shortest, starts, ends, count);
  return dropKnown(bytes, starts, ends, slots, known, count, count + added);
}

/** Remembers that the first `count` expressions, except those whose slot is 0, are on no list. */
export function remember(count: i32): void {
  rememberTexts(bytes, starts, ends, slots, known, count);
}
