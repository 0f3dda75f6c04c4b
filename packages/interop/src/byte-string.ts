const PERCENT = 0x25;
/** As many arguments as every engine accepts. */
const PIECE = 8192;

/** The UTF-8 bytes of a text, as a string whose code units are bytes. */
export function toByteString(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return toText(new TextEncoder().encode(text));
}

/** The text of a byte string; U+FFFD stands for bytes that are not UTF-8. */
export function fromByteString(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Decodes the percent escapes of a byte string in one pass. */
export function unescapeOnce(bytes: string): string {
  return bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/**
 * Decodes percent escapes until there are none left. One scan gives the result of repeated passes in linear time:
 * whenever the output ends in an escape, the escape is replaced by its byte, which may end another escape.
 */
export function unescapeRepeatedly(bytes: string): string {
  if (!bytes.includes("%")) return bytes;
  const written = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    written[length++] = bytes.charCodeAt(i);
    while (length >= 3 && written[length - 3] === PERCENT) {
      const digits = String.fromCharCode(written[length - 2]!, written[length - 1]!);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) break;
      length -= 2;
      written[length - 1] = Number.parseInt(digits, 16);
    }
  }
  return toText(written.subarray(0, length));
}

function toText(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return text;
}

/** Escapes controls, spaces, `#`, `%` and the bytes from 127 on, with upper-case digits. */
export function escapeBytes(bytes: string): string {
  return bytes.replace(
    /[\0-\x20#%\x7f-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
