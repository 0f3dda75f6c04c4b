import { decodePercents } from "../unwrap/decode.ts";

/** A field of a header, or a line among the fields that is none. */
interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** Without line breaks. */
  readonly value: string;
  readonly line: string;
}

/** The value of a header such as `Content-Type`, in lower case, and its parameters. */
export interface HeaderValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** The parameters that the header has several times, with different values. */
  readonly conflicting: ReadonlySet<string>;
}

/** The maximum length of a header, in characters. Real headers are shorter. */
const LONGEST_VALUE = 65_536;

/**
 * The fields of a header, up to its empty line. Only spaces and tabs continue a field on the next line.
 *
 * @see RFC 5322 §2.2
 */
export function headerFields(headers: string): HeaderField[] {
  const fields: string[][] = [];
  for (const written of headers.split("\n")) {
    const line = written.replace(/(?<!\r)\r+$/, "");
    if (line === "") break;
    if (fields.length > 0 && /^[ \t]/.test(line)) fields.at(-1)!.push(line);
    else fields.push([line]);
  }
  return fields.map((lines) => {
    const [name, ...rest] = lines.join("").split(":");
    const value = rest.join(":").replace(/\r+/g, " ");
    return { name: trimmed(name!).toLowerCase(), value: trimmed(value), line: lines.join("\n") };
  });
}

/** Text without the spaces and tabs around it. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}

/** The value of the first header with a name, on one line; `null` if there is none. */
export function headerNamed(headers: string, name: string): string | null {
  const field = new RegExp(`(?<![^\\n])${name}[ \\t]*:([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, "i");
  const value = field.exec(headers)?.[1];
  return value === undefined ? null : value.slice(0, LONGEST_VALUE).replace(/[\r\n]/g, "");
}

const BETWEEN_SEMICOLONS = /(?:[^;"]|"(?:[^"\\]|\\[\s\S])*(?:"|$))+/g;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)(?:"[\s\S]*|$)/;
/** RFC 2231 §3 and §4: the name of a parameter whose value is split or percent-encoded. */
const PIECE = /^([^*]*)\*(?:(\d{1,9})(\*)?)?$/;
const MOST_PIECES = 999;

/**
 * Reads a header with parameters. If a parameter occurs twice, the first one counts.
 *
 * @see RFC 2045 §5.1
 */
export function parseHeaderValue(header: string): HeaderValue {
  const [value = "", ...rest] = withoutComments(header).match(BETWEEN_SEMICOLONS) ?? [];
  const parameters = new Map<string, string>();
  const conflicting = new Set<string>();
  const inPieces = new Map<string, string[]>();
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim().toLowerCase();
    const text = unquote(parameter.slice(equals + 1));
    const [, base, number, star] = PIECE.exec(name) ?? [];
    if (base === undefined) {
      if ((parameters.get(name) ?? text) !== text) conflicting.add(name);
      if (!parameters.has(name)) parameters.set(name, text);
      continue;
    }
    const isEncoded = number === undefined || star !== undefined;
    const pieces = inPieces.get(base) ?? [];
    pieces[Math.min(Number(number ?? 0), MOST_PIECES)] ??= isEncoded ? decodePiece(text) : text;
    inPieces.set(base, pieces);
  }
  for (const [name, pieces] of inPieces) {
    const text = pieces.join("");
    if ((parameters.get(name) ?? text) !== text) conflicting.add(name);
    parameters.set(name, text);
  }
  // Some programs leave out the semicolon after the value.
  const [word] = /^[^\s,]*/.exec(unquote(value))!;
  return { value: word.toLowerCase(), parameters, conflicting };
}

/** A header without its comments in parentheses. If a comment does not end, the header stays as it is. */
function withoutComments(header: string): string {
  let kept = "";
  let depth = 0;
  let isQuoted = false;
  /** Inside a value such as `a(1).pdf`, a parenthesis is a character like any other. */
  let mayOpen = true;
  for (let i = 0; i < header.length; i++) {
    let character = header.charAt(i);
    if (character === "\\") character = header.slice(i, ++i + 1);
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    if (character === "(" && !isQuoted && (mayOpen || depth > 0)) depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (depth === 0) {
      kept += character;
      mayOpen = character === ";" || /\s/.test(character) || (mayOpen && character !== "=");
    }
  }
  return depth === 0 ? kept : header;
}

/** A value without its quotation marks and backslashes, if it is quoted. */
function unquote(value: string): string {
  return value.trim().replace(QUOTED, (_, inside: string) => inside.replace(/\\([\s\S])/g, "$1"));
}

function decodePiece(text: string): string {
  return decodePercents(text.replace(/^[\w-]*'[\w-]*'/, ""));
}

/** An encoded word (RFC 2047 §2), perhaps with a language (RFC 2231 §5): its character set, encoding and text. */
const ENCODED_WORD = /=\?([^?*\s]{1,99})(?:\*[^?\s]{0,99})?\?([bq])\?([^?]*)\?=/gi;

/** The character sets of the encoded words in a value, including words that do not end. */
export function charsetsOfWords(value: string): string[] {
  const starts = value.matchAll(/=\?([^?*\s]{1,99})(?:\*[^?\s]{0,99})?\?[bq]\?/gi);
  return [...starts].map(([, charset]) => charset!);
}

/**
 * Decodes encoded words. White space between two of them belongs to neither, and a character may begin in one and end
 * in the next (RFC 2047 §6.2).
 */
export function decodeWords(value: string): string {
  let decoded = "";
  let end = 0;
  let words: { readonly charset: string; readonly bytes: Uint8Array }[] = [];
  const flush = () => {
    decoded += wordsAsText(words);
    words = [];
  };
  for (const { index, 0: word, 1: charset, 2: encoding, 3: text } of value.matchAll(ENCODED_WORD)) {
    const between = value.slice(end, index);
    if (words.length === 0 || !/^[ \t\r\n]*$/.test(between)) {
      flush();
      decoded += between;
    } else if (words[0]!.charset !== charset!.toLowerCase()) flush();
    const isBase64 = encoding!.toLowerCase() === "b";
    const encoded = new TextEncoder().encode(isBase64 ? text : text!.replaceAll("_", "=20"));
    const bytes = isBase64 ? decodeBase64(encoded) : decodeQuotedPrintable(encoded);
    words.push({ charset: charset!.toLowerCase(), bytes });
    end = index + word.length;
  }
  flush();
  return decoded + value.slice(end);
}

function wordsAsText(words: readonly { readonly charset: string; readonly bytes: Uint8Array }[]) {
  if (words.length === 0) return "";
  const together = decodeCharset(joined(words.map(({ bytes }) => bytes)), words[0]!.charset);
  // Some programs encode each word on its own, with its own state.
  if (!together.includes("\ufffd")) return together;
  return words.map(({ charset, bytes }) => decodeCharset(bytes, charset)).join("");
}

/** Labels of UTF-16, which no text in an email should have (RFC 2781 §4). */
export const UTF_16: RegExp = /^\s*(?:utf-?16|ucs-?2|unicode|iso-10646-ucs-2)/i;

/** Decodes text, as windows-1252 if its character set is unknown, and as UTF-8 if none is named. */
export function decodeCharset(bytes: Uint8Array, label: string): string {
  const known = label.trim() === "" ? "utf-8" : label;
  return new TextDecoder(isKnownCharset(known) ? known : "windows-1252").decode(bytes);
}

export function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label) !== null;
  } catch {
    return false;
  }
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;

/** The six bits of each character of base64; 255 for all other characters. */
const SIX_BITS = new Uint8Array(256).fill(255);
for (const [value, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  SIX_BITS[character.charCodeAt(0)] = value;
}

/**
 * Decodes base64. Other characters are skipped, and `=` ends a unit, because some programs pad every line.
 *
 * @see RFC 2045 §6.8
 */
export function decodeBase64(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil((encoded.length / 4) * 3));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (const byte of encoded) {
    const value = SIX_BITS[byte]!;
    if (byte === EQUALS) count = 0;
    if (value === 255) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded[length++] = bits >> count;
  }
  return decoded.subarray(0, length);
}

/**
 * Decodes quoted-printable. Mail servers may have added spaces to the ends of lines, also after the `=` of a soft line
 * break.
 *
 * @see RFC 2045 §6.7
 */
export function decodeQuotedPrintable(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(encoded.length);
  let length = 0;
  for (let start = 0; start < encoded.length; ) {
    const lineFeed = encoded.indexOf(LINE_FEED, start);
    let end = lineFeed === -1 ? encoded.length : lineFeed;
    while (end > start && isWhiteSpace(encoded[end - 1]!)) end--;
    const isSoft = end > start && encoded[end - 1] === EQUALS;
    if (isSoft) end--;
    for (let i = start; i < end; i++) {
      const value = encoded[i] === EQUALS && i + 2 < end ? hexAt(encoded, i + 1) : -1;
      if (value !== -1) i += 2;
      decoded[length++] = value === -1 ? encoded[i]! : value;
    }
    if (lineFeed === -1) break;
    if (!isSoft) decoded[length++] = LINE_FEED;
    start = lineFeed + 1;
  }
  return decoded.subarray(0, length);
}

function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** The value of two hexadecimal digits; -1 if they are none. */
function hexAt(bytes: Uint8Array, index: number): number {
  const digits = String.fromCharCode(bytes[index]!, bytes[index + 1]!);
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/**
 * Joins the lines of flowed text that end in a space, also in quoted text. Lines of a different quote depth belong to
 * another paragraph.
 *
 * @param deletesSpace Whether that space is deleted.
 * @see RFC 3676 §4
 */
export function joinFlowedLines(text: string, deletesSpace: boolean): string {
  let joinedLines = "";
  /** The quote depth of the line before, if it flows; otherwise `null`. */
  let flowingDepth: number | null = null;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const depth = /^>*/.exec(line)![0].length;
    const unstuffed = line.slice(depth).replace(/^ /, "");
    // A signature does not flow, and no line flows into it.
    const flows = unstuffed.endsWith(" ") && unstuffed !== "-- ";
    const continues = depth === flowingDepth && unstuffed !== "-- ";
    const written = continues || depth === 0 ? unstuffed : line;
    if (i > 0 && !continues) joinedLines += "\n";
    joinedLines += flows && deletesSpace ? written.slice(0, -1) : written;
    flowingDepth = flows ? depth : null;
  }
  return joinedLines;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let filled = 0;
  for (const piece of pieces) {
    all.set(piece, filled);
    filled += piece.length;
  }
  return all;
}
