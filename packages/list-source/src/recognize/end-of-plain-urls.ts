import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_GRAPHIC = 0x21;
const LAST_GRAPHIC = 0x7e;
const H = 0x68;
const T = 0x74;
const P = 0x70;
const S = 0x73;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const codesOf = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
/** The bytes of most URLs: no blanks, and no characters that separate or enclose text or defang a URL. */
const IS_PLAIN = new Uint8Array(256);
for (let code = FIRST_GRAPHIC; code <= LAST_GRAPHIC; code++) IS_PLAIN[code] = 1;
for (const code of codesOf('"<>()[]{}\\,;|')) IS_PLAIN[code] = 0;
/** The bytes of most hosts. */
const IN_HOST = new Uint8Array(256);
for (const code of codesOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_%"))
  IN_HOST[code] = 1;

/** The index after the scheme, host and port of a line that starts like a plain URL; -1 for other lines. */
function endOfHost(lines: Uint8Array, start: number): number {
  const isHttp =
    lines[start] === H &&
    lines[start + 1] === T &&
    lines[start + 2] === T &&
    lines[start + 3] === P;
  const colon = lines[start + 4] === S ? start + 5 : start + 4;
  if (!isHttp || lines[colon] !== COLON) return -1;
  if (lines[colon + 1] !== SLASH || lines[colon + 2] !== SLASH) return -1;
  const host = colon + 3;
  let i = host;
  while (IN_HOST[lines[i]!] === 1) i++;
  // The host may be a second scheme, perhaps without its colon.
  if (i - host <= 5 && lines[host] === H && lines[host + 3] === P) return -1;
  // If the host has no dot, the word "dot" may replace it.
  let dot = lines[i - 4] === DOT ? i - 4 : host;
  while (dot < i && lines[dot] !== DOT) dot++;
  if (dot === i) return -1;
  if (lines[i] === COLON) {
    const port = ++i;
    while (lines[i]! >= ZERO && lines[i]! <= NINE) i++;
    if (i === port) return -1;
  }
  const isEnd =
    i >= lines.length || lines[i] === SLASH || lines[i] === QUESTION_MARK || lines[i] === HASH;
  return isEnd || isLineEnd(lines, i) ? i : -1;
}

/** Whether an LF or CR LF starts at an index. */
function isLineEnd(lines: Uint8Array, index: number): boolean {
  return lines[lines[index] === CARRIAGE_RETURN ? index + 1 : index] === LINE_FEED;
}

/**
 * Returns the index in `lines` where the first line that is not a plain URL starts; the length of `lines` when there is
 * none. Empty lines are skipped.
 *
 * A plain URL starts with `http://` or `https://` and a host of usual characters with a dot, without a user name. Like
 * most URLs, it has no blanks, brackets, quotation marks, backslashes, commas, semicolons, bars or non-ASCII
 * characters. `foreignLine` returns `null` for a plain URL.
 *
 * @param start the index where a line starts or ends.
 * @throws TypeError when `lines` is not a `Uint8Array`.
 * @throws RangeError when `start` is not a whole number from 0 to the length of `lines`.
 * @example
 * ```ts
 * import { endOfPlainUrls } from "@x/list-source";
 *
 * endOfPlainUrls(new TextEncoder().encode("http://a.example/\nhttps://b.example/\n")); // → 37
 * endOfPlainUrls(new TextEncoder().encode("http://a.example/\nb.example\n")); // → 18
 * ```
 */
export function endOfPlainUrls(lines: Uint8Array, start = 0): number {
  if (!isUint8Array(lines)) throw typeError("lines", "a Uint8Array", lines);
  if (!Number.isInteger(start) || start < 0 || start > lines.length) {
    throw new RangeError(`start must be a whole number from 0 to ${lines.length}, not ${start}`);
  }
  for (let line = start; line < lines.length; ) {
    let i = isLineEnd(lines, line) ? line : endOfHost(lines, line);
    if (i < 0) return line;
    while (i < lines.length && IS_PLAIN[lines[i]!] === 1) i++;
    if (i < lines.length && !isLineEnd(lines, i)) return line;
    line = lines[i] === CARRIAGE_RETURN ? i + 2 : i + 1;
  }
  return lines.length;
}
