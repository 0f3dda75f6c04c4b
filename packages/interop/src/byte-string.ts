import { fromCodes } from "@x/canon/bytes";

/** Encodes text as UTF-8, in a string whose code units are bytes. */
export function toByteString(text: string): string {
  return fromCodes(new TextEncoder().encode(text));
}

/** Decodes a byte string as UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function fromByteString(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Decodes the percent escapes of a byte string in one pass. */
export function unescapeOnce(bytes: string): string {
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
