import { hasDefangedHost, hasWordForDot } from "@x/canon/defanged";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { ListSourceError, type ListSourceErrorCode } from "../error.ts";
import { hasNoLines } from "./bytes.ts";
import { recognizeHost, recognizeUrl } from "./host.ts";
import { type LineRecognition, recognizeLine } from "./line.ts";
import { holdsSeveralUrls } from "./several-urls.ts";
import { RECOGNITION_BYTES, recognizeSource } from "./source.ts";

/*
 * Checks for programs that read one URL per line. If a hosts file, JSON or a picture were read as one URL per line,
 * nothing in it would be found on a list.
 */

/** Errors of `recognizeSource` that may also occur for a source with one URL per line. */
const OF_SINGLE_LINES: ReadonlySet<ListSourceErrorCode> = new Set([
  "format-unknown",
  "foreign-format",
  "column-missing",
  "binary",
]);

/**
 * For a source that should have one URL per line, returns what it looks like instead, or `null` when it may have this
 * form.
 *
 * @param start the first bytes of the source; bytes after `RECOGNITION_BYTES` are ignored.
 * @param options `allowBinary`: whether to accept bytes that are not UTF-8, because URLs may contain them; `true` by
 * default. Bytes with many control characters are not lines, and are never accepted.
 * @throws TypeError when `start` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { foreignSource } from "@x/list-source";
 *
 * const encoder = new TextEncoder();
 * foreignSource(encoder.encode("http://a.example/\nhttp://b.example/\n")); // → null
 * foreignSource(encoder.encode("0.0.0.0 a.example\n0.0.0.0 b.example\n")); // → "a hosts file (2 of 2 lines)"
 * ```
 */
export function foreignSource(
  start: Uint8Array,
  { allowBinary = true }: { readonly allowBinary?: boolean | undefined } = {},
): string | null {
  const bytes = start.subarray(0, RECOGNITION_BYTES);
  try {
    const { format, found, evidence } = recognizeSource(bytes);
    if (format === "urls" || format === "domains") return null;
    return format === "prefix-list" ? found : `${found} (${evidence})`;
  } catch (error) {
    if (!(error instanceof ListSourceError)) throw error;
    const isOfSingleLine = OF_SINGLE_LINES.has(error.code);
    const mayBeBinary = allowBinary && !hasNoLines(bytes);
    const mayBeUrls = isOfSingleLine && (mayBeBinary || error.code !== "binary");
    return mayBeUrls ? textAfterUrls(start) : error.found;
  }
}

const URL_AND_TEXT = /^\s*[a-z][a-z0-9+.-]*:\/\/\S+\s+\S/i;
/**
 * Matches a URL, a separator, and a host with a slash after it. A single URL may look like this, but not most URLs of a
 * source. Without the slash, the name of a file would match: `http://evil.example/a,1.html`.
 */
const URL_AND_HOST =
  /^\s*[a-z][a-z0-9+.-]*:\/\/[^\s,;|]+[,;|](?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?\//i;

/**
 * Reports other text after URLs, such as a second URL, if most lines have it. A few URLs may contain blanks, but most
 * do not.
 */
function textAfterUrls(start: Uint8Array): string | null {
  const text = utf8.decode(start.subarray(0, RECOGNITION_BYTES));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const found = lines.filter(
    (line) => URL_AND_TEXT.test(line) || URL_AND_HOST.test(line) || holdsSeveralUrls(line),
  ).length;
  if (lines.length < 2 || found <= lines.length / 2) return null;
  return `URLs with other text after them (${found} of ${lines.length} lines)`;
}

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

/** Matches a URL with a scheme and without blanks. */
const URL_SHAPE = /^(?:https?|ftp|wss?):\/\/[^\s/?#\\(){}]*(?:[/?#]\S*)?$/i;
/** Matches a line that is only a host. No other format has such lines. */
const PLAIN_HOST = /^(?!hxxp|-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const LONGEST_LOOK = 1024;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * For the bytes of a line that should be a URL, returns what it looks like instead, or `null` when it may be a URL.
 *
 * The function differs from {@link recognizeLine} in two ways. A line that has the shape of a URL counts as a URL,
 * unless it contains a NUL character or a second URL after a comma, semicolon or bar, or its host is defanged or
 * contains such a separator. In any other line, the host is checked, too, for example for characters that no host has.
 * The function is fast for lines that {@link endOfPlainUrls} skips.
 *
 * @throws TypeError when `line` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { foreignLine } from "@x/list-source";
 *
 * foreignLine(new TextEncoder().encode("0.0.0.0 evil.example"))?.found; // → "a line of a hosts file"
 * foreignLine(new TextEncoder().encode("http://evil.example/")); // → null
 * ```
 */
export function foreignLine(line: Uint8Array): LineRecognition | null {
  if (endOfPlainUrls(line) === line.length) return null;
  const text = utf8.decode(line.subarray(0, LONGEST_LOOK));
  // A fast path for lists of hosts.
  if (PLAIN_HOST.test(text)) return null;
  if (URL_SHAPE.test(text) && !hasDefangedHost(text) && !hasWordForDot(text)) {
    // A second URL may follow a long one.
    return recognizeUrl(line.length > LONGEST_LOOK ? utf8.decode(line) : text);
  }
  return recognizeLine(text) ?? recognizeHost(text);
}

const encoder = new TextEncoder();
/** The start of a URL without line ends and tabs, which canonicalization removes. */
const URL_START = /^\s*(?:https?|ftp|wss?):\/\//i;

/**
 * For text that someone typed or pasted as one URL, returns what it looks like instead, or `null` when it may be a URL.
 *
 * The function differs from {@link foreignLine} in two ways. The text may contain several lines by mistake. Text that
 * starts like a URL counts as a URL, however odd the rest looks, unless it is defanged or contains several URLs.
 *
 * @throws TypeError when `text` is not a string.
 * @example
 * ```ts
 * import { foreignText } from "@x/list-source";
 *
 * foreignText("hxxps://login[.]evil[.]example/")?.found; // → "a defanged URL"
 * foreignText("http://evil.example/<b>"); // → null
 * ```
 */
export function foreignText(text: string): LineRecognition | null {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const recognized = foreignLine(encoder.encode(text.replaceAll("\n", " ")));
  return recognized !== null && isOddUrl(text, recognized.code) ? null : recognized;
}

function isOddUrl(text: string, code: LineRecognition["code"]): boolean {
  if (!URL_START.test(text.replace(/[\t\r\n]/g, ""))) return false;
  if (code === "several-urls" || code === "scheme-doubled") return false;
  // A backslash may hide a dot, but after a scheme it is part of the URL.
  return code !== "defanged" || (text.includes("\\") && !hasDefangedHost(text));
}
