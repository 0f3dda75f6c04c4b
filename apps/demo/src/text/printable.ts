import { decodeUtf8 } from "./decode-utf8.ts";
import { isPlain, spellOut, UNSAFE } from "./unsafe-characters.ts";

/*
 * Everything that comes from outside and goes to a terminal, or to a place of the page that takes no markup,
 * passes through here: a URL may hold escape sequences that move the cursor, and invisible or bidirectional
 * controls that make it look like another.
 */

/** Octets that are not UTF-8, a character for each; those above 0x7F as `\x…`. */
function spellOutOctets(octets: Uint8Array): string {
  let text = "";
  for (const octet of octets) {
    text += octet < 0x80 ? String.fromCharCode(octet) : `\\x${octet.toString(16)}`;
  }
  return text;
}

/**
 * A text for one line: unsafe characters become `\u{…}`, and where octets are not UTF-8, those above 0x7F become
 * `\x…`.
 */
export function printable(text: string | Uint8Array): string {
  if (typeof text === "string") return isPlain(text) ? text : text.replace(UNSAFE, spellOut);
  return printable(decodeUtf8(text) ?? spellOutOctets(text));
}

const LONGEST = 1000;

/** {@link printable}, with the middle of a very long text replaced by how much is left out. */
export function printableInShort(text: string | Uint8Array): string {
  if (text.length <= LONGEST) return printable(text);
  const half = LONGEST / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  return `${printable(start)} … ${text.length - LONGEST} more … ${printable(end)}`;
}
