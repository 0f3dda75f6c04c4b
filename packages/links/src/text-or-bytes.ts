import { typeError } from "@x/canon/own-options";

/** Throws a `TypeError` for anything but a string or a `Uint8Array`, of any realm, that still has its memory. */
export function checkTextOrBytes(
  name: string,
  value: unknown,
): asserts value is string | Uint8Array {
  if (typeof value !== "string") checkBytes(name, value, "a string or a Uint8Array");
}

function checkBytes(name: string, value: unknown, expected: string): void {
  const bytes = value as Uint8Array | null | undefined;
  if (bytes?.[Symbol.toStringTag] !== "Uint8Array") throw typeError(name, expected, value);
  // Without its memory, an array looks empty, but this method throws.
  bytes.keys();
}

/**
 * The encoding of a text that begins with the byte order mark of UTF-16, for `TextDecoder`; otherwise `null`.
 *
 * @throws {TypeError} when `bytes` is not a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { markedEncoding } from "@x/links/mail";
 *
 * markedEncoding(Uint8Array.of(0xff, 0xfe, 0x61, 0)); // → "utf-16le"
 * markedEncoding(Uint8Array.of(0x61)); // → null
 * ```
 */
export function markedEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  checkBytes("bytes", bytes, "a Uint8Array");
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}
