// Compares and copies texts of up to 31 bytes, byte by byte. The WebAssembly versions are in kernel/texts.ts.

/** Whether two texts of the same length are equal. */
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

/** Copies a text. There must be room for 31 bytes. */
export function copyText(
  bytes: Uint8Array,
  start: number,
  length: number,
  to: Uint8Array,
  at: number,
): void {
  for (let i = 0; i < length; i++) to[at + i] = bytes[start + i]!;
}
