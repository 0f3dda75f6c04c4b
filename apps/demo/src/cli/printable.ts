/*
 * Everything that comes from outside and goes to a terminal passes through here: a URL may hold escape
 * sequences that move the cursor, and invisible or bidirectional controls that make it look like another.
 */

/** Controls, formats, surrogates, private and unassigned characters, blanks other than the space, fillers. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const HIGH_OCTET = /[\x80-\xff]/g;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that octets are the UTF-8 of; `null` when they are not UTF-8. */
export function decodeUtf8(octets: Uint8Array): string | null {
  try {
    return utf8.decode(octets);
  } catch {
    return null;
  }
}

/** Octets of printable ASCII as text, which everything after is quicker with; anything else as it is. */
export function asText(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === "string") return text;
  const characters = latin1Of(text);
  return PLAIN.test(characters) ? characters : text;
}

/** A character for each octet; what the web calls "latin1" is windows-1252, where 0x80 is the euro sign. */
function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

function escapeOctet(octet: string): string {
  return `\\x${octet.charCodeAt(0).toString(16)}`;
}

/**
 * A text for one line of a terminal: unsafe characters become `\u{…}`, and where octets are not UTF-8, those
 * above 0x7F become `\x…`.
 */
export function printable(text: string | Uint8Array): string {
  if (typeof text === "string")
    return PLAIN.test(text) ? text : text.replace(UNSAFE, escapeCharacter);
  const decoded = decodeUtf8(text);
  if (decoded !== null) return printable(decoded);
  return latin1Of(text).replace(HIGH_OCTET, escapeOctet).replace(UNSAFE, escapeCharacter);
}

const LONGEST = 1000;

/** {@link printable}, with the middle of a very long text replaced by how much is left out. */
export function printableInShort(text: string | Uint8Array): string {
  if (text.length <= LONGEST) return printable(text);
  const half = LONGEST / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  return `${printable(start)} … ${text.length - LONGEST} more … ${printable(end)}`;
}
