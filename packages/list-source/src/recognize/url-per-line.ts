import { hasDefangedHost, hasWordForDot } from "@x/canon/defanged";
import { hasMarkBeforeHost, hasNul, hasTextBeforeUrl, holdsSeveralUrls } from "@x/canon/other-text";
import { readUrl } from "@x/canon/readings";
import { typeError } from "@x/sha256-prefix/type-error";
import { ListSourceError, type ListSourceErrorCode } from "../error.ts";
import type { LineCode } from "../refusal.ts";
import { shareOfLines } from "../text.ts";
import { hasNoLines } from "./bytes.ts";
import { endOfPlainUrls } from "./end-of-plain-urls.ts";
import { holdsSeveralEntries, type LineRecognition, recognizeLine } from "./line.ts";
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
 * source. Without the slash, a file name would match, as in `http://evil.example/a,1.html`.
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
    (line) => URL_AND_TEXT.test(line) || URL_AND_HOST.test(line) || holdsSeveralEntries(line),
  ).length;
  if (lines.length < 2 || found <= lines.length / 2) return null;
  return `URLs with other text after them (${shareOfLines(found, lines.length)})`;
}

/** Matches a URL with a scheme and without blanks. */
const URL_SHAPE = /^(?:https?|ftp|wss?):\/\/[^\s/?#\\(){}]*(?:[/?#]\S*)?$/i;
/** Matches a line that is only a host, which programs can read as a URL. */
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
  const found = recognizeLineOfUrls(line);
  return found !== null && isReadable(line, found) ? null : found;
}

/**
 * What only names a problem that a text has when it is read as a URL. Whether it has one is decided by `readUrl` alone,
 * so that all programs refuse the same texts. Other shapes are those of lists, whose lines may be readable as URLs.
 */
const NAMES_OF_PROBLEMS: ReadonlySet<LineCode> = new Set([
  "tab-separated",
  "hash-line",
  "html",
  "comma-separated",
  "quoted",
  "blank",
  "several-urls",
  "scheme-doubled",
  "host-character",
  "wildcard",
  "control-character",
]);

function isReadable(url: string | Uint8Array, { code }: LineRecognition): boolean {
  return NAMES_OF_PROBLEMS.has(code) && readUrl(url).problem === null;
}

function recognizeLineOfUrls(line: Uint8Array): LineRecognition | null {
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
/** Matches the start of a URL from which line ends and tabs have been removed, as canonicalization does. */
const URL_START = /^\s*(?:https?|ftp|wss?):\/\//i;

/**
 * For text that someone typed or pasted as one URL, returns what it looks like instead, or `null` when it may be a URL.
 *
 * The function differs from {@link foreignLine} in two ways. The text may contain several lines by mistake. Text that
 * starts like a URL counts as a URL, however odd the rest looks, unless it is defanged, has two schemes or contains
 * several URLs.
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
  const found = recognizeLineOfUrls(encoder.encode(text.replaceAll("\n", " ")));
  return found !== null && (isOddUrl(text, found.code) || isReadable(text, found)) ? null : found;
}

function isOddUrl(text: string, code: LineRecognition["code"]): boolean {
  if (!URL_START.test(text.replace(/[\t\r\n]/g, ""))) return false;
  if (code === "several-urls" || code === "scheme-doubled") return false;
  // A backslash may hide a dot, but after a scheme it is part of the URL.
  return code !== "defanged" || (text.includes("\\") && !hasDefangedHost(text));
}

/** Schemes such as `mailto:`, for which canonicalization gives a better message. */
const OPAQUE = /^\s*[a-z][a-z0-9+.-]*:(?![\d/\\])/i;
const AUTHORITY = /^[\0- ]*(?:[a-z][a-z0-9+.-]*:\/\/)?([^\0- /?#\\]*)/i;
const SEPARATOR = /[,;|]/;
const NEVER_IN_HOST = /["'()<=>^`{}\x80-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Z}/u;

const TWO_SCHEMES =
  /^[\0- ]*(?:https?|ftp|wss?):[/\\]*(?:h(?:tt|xx)ps?[/\\]|[^/?#\\]*h(?:tt|xx)ps?:[/\\]{2})/i;

const NULS: LineRecognition = {
  code: "control-character",
  found: "text with NUL characters, such as UTF-16",
};
const SEVERAL: LineRecognition = { code: "several-urls", found: "several URLs" };
const DOUBLED: LineRecognition = { code: "scheme-doubled", found: "a URL with two schemes" };
const CELLS: LineRecognition = { code: "comma-separated", found: "a line of CSV" };

/**
 * For a line that has the shape of a URL, returns what it looks like instead, or `null`. This check is needed because
 * canonicalization accepts nearly any text as a host.
 */
function recognizeUrl(line: string): LineRecognition | null {
  if (hasNul(line)) return NULS;
  if (holdsSeveralUrls(line)) return SEVERAL;
  if (TWO_SCHEMES.test(line)) return DOUBLED;
  return SEPARATOR.test(hostOf(line)) ? CELLS : null;
}

/**
 * For a line that should be a URL, and that {@link recognizeLine} does not recognize, returns what it looks like if a
 * URL follows other text, if the host is odd, or if there is a NUL character. Otherwise returns `null`.
 */
export function recognizeHost(line: string): LineRecognition | null {
  if (hasNul(line)) return NULS;
  if (TWO_SCHEMES.test(line)) return DOUBLED;
  const isOpaque = OPAQUE.test(line);
  if (hasTextBeforeUrl(line)) {
    return { code: "several-urls", found: "a URL after other text" };
  }
  if (holdsSeveralUrls(line)) return SEVERAL;
  if (isOpaque) return null;
  // A host may start with "-". In a line without a scheme, however, "-" is a bullet, like the other marks.
  return hasMarkBeforeHost(line)
    ? { code: "host-character", found: "a host with a mark before it" }
    : oddHost(hostOf(line));
}

function hostOf(line: string): string {
  const authority = AUTHORITY.exec(line)![1]!;
  // A user name may contain any character, so it is left out.
  return authority.slice(authority.lastIndexOf("@") + 1);
}

function oddHost(host: string): LineRecognition | null {
  if (SEPARATOR.test(host)) return CELLS;
  if (host.replace(/^\*\./, "").includes("*")) {
    return { code: "wildcard", found: "a host with a wildcard" };
  }
  // Some odd characters occur in the first labels of real hosts, but never in the last label.
  const last = host.slice(host.lastIndexOf(".") + 1);
  const afterColon = host.includes(":") && host[0] !== "[" ? host.slice(host.indexOf(":")) : "";
  return NEVER_IN_HOST.test(host) || /[!$&+~]/.test(last) || /[^\d:]/.test(afterColon)
    ? { code: "host-character", found: "text with a character that no host has" }
    : null;
}
