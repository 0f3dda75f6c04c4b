// What src/batch/texts.ts does, for all bytes of a text at once. Bytes after the text are read, and copied, too.
import type { Bytes } from "./memory";

export const MAX_TEXT_BYTES: i32 = 31;

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

export function copyText(bytes: Bytes, start: i32, _length: i32, to: Bytes, at: i32): void {
  const text = changetype<usize>(bytes) + start;
  const copy = changetype<usize>(to) + at;
  v128.store(copy, v128.load(text));
  v128.store(copy, v128.load(text, 15), 15);
}
