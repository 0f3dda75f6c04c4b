/*
 * Text from outside passes through these functions before it goes to a terminal or a page. A URL may contain escape
 * sequences that move the cursor, or invisible and bidirectional controls that make it look like another URL.
 */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that the bytes encode; `null` if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Turns each byte into a character, or into `\x…` if it is above 0x7F. */
function spellOutBytes(bytes: Uint8Array): string {
  const spelled = (byte: number) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`;
  return Array.from(bytes, spelled).join("");
}

/**
 * A text on one line, safe to show: unsafe characters become `\u{…}`. In bytes that are not UTF-8, every byte
 * above 0x7F becomes `\x…`.
 */
export function printable(text: string | Uint8Array): string {
  if (typeof text === "string") {
    return isPlain(text) ? text : text.replace(UNSAFE_CHARACTERS, spellOut);
  }
  return printable(decodeUtf8(text) ?? spellOutBytes(text));
}

const LONGEST = 1000;

/**
 * Like {@link printable}, but shortens long texts. If there are more than 1000 characters or bytes, only the first 500
 * and the last 500 remain.
 */
export function printableInShort(text: string | Uint8Array): string {
  if (text.length <= LONGEST) return printable(text);
  const half = LONGEST / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  return `${printable(start)} … ${text.length - LONGEST} more … ${printable(end)}`;
}

/**
 * A value as one line of JSON that is safe to show, because unsafe characters are escaped. `JSON.parse` restores the
 * value.
 */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (isPlain(json)) return json;
  return json.replace(UNSAFE_CHARACTERS, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/**
 * Characters that a reader would not see, or would see in another place: controls, format characters, surrogates,
 * private-use and unassigned characters, spaces other than U+0020, fillers, and every combining mark after the third
 * on one letter.
 */
export const UNSAFE_CHARACTERS: RegExp =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/** Whether a text is printable ASCII, which has no unsafe characters. The test is fast. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The escape of a character: `\u{…}` with its code point in hexadecimal. */
export function spellOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
