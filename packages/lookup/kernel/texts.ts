// The WebAssembly versions of the functions in src/batch/texts.ts, which handle all bytes of a text at once, and also
// read bytes after the text.
import type { Bytes } from "./types";

export function isSameText(
  bytes: Bytes,
  start: i32,
  length: i32,
  others: Bytes,
  otherStart: i32,
): bool {
  const text = changetype<usize>(bytes) + start;
  const other = changetype<usize>(others) + otherStart;
  const first = i8x16.bitmask(i8x16.eq(v128.load(text), v128.load(other)));
  const second = i8x16.bitmask(i8x16.eq(v128.load(text, 15), v128.load(other, 15)));
  const differing = ~(first | (second << 15));
  return (differing & ((1 << length) - 1)) === 0;
}

export function copyText(bytes: Bytes, start: i32, length: i32, to: Bytes, at: i32): void {
  const text = changetype<usize>(bytes) + start;
  const copy = changetype<usize>(to) + at;
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  // The bytes after the text do not belong to it, and are cleared.
  const first = i8x16.lt_s(places, i8x16.splat(<i8>length));
  const second = i8x16.lt_s(places, i8x16.splat(<i8>(length - 15)));
  v128.store(copy, v128.and(v128.load(text), first));
  v128.store(copy, v128.and(v128.load(text, 15), second), 15);
}
