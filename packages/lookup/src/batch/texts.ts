// Texts of up to 31 bytes, byte by byte. WebAssembly has these functions in kernel/texts.ts.

export const MAX_TEXT_BYTES = 31;

/** Whether two texts of the same length are the same. */
export function isSameText(
  bytes: Uint8Array,
  start: number,
  length: number,
  others: Uint8Array,
  otherStart: number,
): boolean {
  for (let i = 0; i < length; i++) if (bytes[start + i] !== others[otherStart + i]) return false;
  return true;
}

/** Copies a text to where there is room for {@link MAX_TEXT_BYTES}. */
export function copyText(
  bytes: Uint8Array,
  start: number,
  length: number,
  to: Uint8Array,
  at: number,
): void {
  for (let i = 0; i < length; i++) to[at + i] = bytes[start + i]!;
}
