import { hasDefangedHost, hasWordForDot } from "@x/canon/defanged";
import { holdsSeveralUrls } from "@x/canon/other-text";
import { readUrl } from "@x/canon/readings";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { holdsSeveralEntries, recognizeLine } from "./formats/table.ts";
import { type LineCode, ListSourceError, type ListSourceErrorCode } from "./problems.ts";
import { hasNoLines, RECOGNITION_BYTES, recognizeSource } from "./recognize-source.ts";
import { shareOfLines } from "./text.ts";

/*
 * Checks for programs that read one URL per line. If a hosts file, JSON or a picture were read as one URL per line,
 * nothing in it would be found on a list.
 */

/** Errors of `recognizeSource` that may also occur for a source with one URL per line. */
const OF_SINGLE_LINES: ReadonlySet<ListSourceErrorCode> = new Set([
  "format-unknown",
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
    if (format === "urls") return null;
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
 * Reports other text after URLs, such as a second URL, if most lines have it. A few URLs may contain spaces, but most
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

/** What a text looks like instead of a URL. */
export interface LineRecognition {
  readonly code: LineCode | "url-unclear" | "host-invalid";
  /** The description of the text: `"a line of a hosts file"`. */
  readonly found: string;
}

/** A fast path for most lines, which cannot be anything else: URLs with a usual host, and hosts alone. */
const PLAIN_URL =
  /^https?:\/\/(?!h..p)[\w%-]*(?:\.[\w%-]*)+(?::\d+)?(?:[/?#][!#-'*+.-:=?-Z^-z~-]*)?$/;
const PLAIN_HOST = /^(?!hxxp|-)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/i;
/** Matches a URL with a scheme and without spaces. */
const URL_SHAPE = /^(?:https?|ftp|wss?):\/\/[^\s/?#\\(){}]*(?:[/?#]\S*)?$/i;
/** Matches the start of a URL, also one that people typed or pasted. */
const URL_START = /^\s*(?:https?|ftp|wss?):\/\//i;
/** Matches a URL whose host is a scheme. */
const SCHEME_AS_HOST = /^[^/]*\/\/h(?:tt|xx)ps?:?[/\\]/i;
/** Matches a URL whose host has a sign that separates cells, or a NUL, as in UTF-16. */
const SEPARATED = /^[^/]*\/\/[^/?#]*[,;|\0]/;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

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
  "space",
]);

const PROBLEMS: Readonly<Record<string, LineRecognition>> = {
  "url-unclear": { code: "url-unclear", found: "text that is not one URL" },
  "host-invalid": { code: "host-invalid", found: "text with a host that no site can have" },
};

/**
 * For a line that should be a URL, returns what it looks like instead, or `null` when it may be a URL.
 *
 * @param line the bytes of a line, or the text that someone typed or pasted as one URL. Such a text may have tabs and
 * line ends inside, which URLs lose.
 * @throws TypeError when `line` is neither a `Uint8Array` nor a string.
 * @example
 * ```ts
 * import { foreignLine } from "@x/list-source";
 *
 * foreignLine("0.0.0.0 evil.example")?.found; // → "a line of a hosts file"
 * foreignLine("hxxps://login[.]evil[.]example/")?.found; // → "a defanged URL"
 * foreignLine("http://evil.example/<b>"); // → null
 * ```
 */
export function foreignLine(line: Uint8Array | string): LineRecognition | null {
  const isText = typeof line === "string";
  const text = textOf(line);
  if (PLAIN_URL.test(text) || PLAIN_HOST.test(text)) return null;
  const isUrl = URL_SHAPE.test(text) && !hasDefangedHost(text) && !hasWordForDot(text);
  const shape = isUrl ? null : recognizeLine(text);
  if (shape !== null && !NAMES_OF_PROBLEMS.has(shape.code)) {
    // A backslash may hide a dot, but after a scheme it is part of the URL.
    const isPart = shape.code === "defanged" && text.includes("\\") && URL_START.test(text);
    return isPart && !hasDefangedHost(text) ? null : shape;
  }
  const code = readUrl(isText ? text : line).problem?.code;
  if (code === undefined) return null;
  // Other odd hosts of URLs are left to those who read them.
  const isSeparated = SEPARATED.test(text) && (!isText || holdsSeveralUrls(text));
  const isOther = code === "url-unclear" || !isUrl || SCHEME_AS_HOST.test(text) || isSeparated;
  return shape ?? (isOther ? (PROBLEMS[code] ?? null) : null);
}

function textOf(line: Uint8Array | string): string {
  if (isUint8Array(line)) return utf8.decode(line);
  if (typeof line !== "string") throw typeError("line", "a Uint8Array or a string", line);
  const withoutEnds = line.replace(/[\t\r\n]/g, "");
  const isUrl = URL_START.test(withoutEnds) && !holdsSeveralUrls(line);
  return isUrl ? withoutEnds : line.replaceAll("\n", " ");
}
