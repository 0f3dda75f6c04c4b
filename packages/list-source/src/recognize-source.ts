import { refangPartly } from "@x/canon/defanged";
import { prefixListFileKind } from "@x/prefix-list";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { isComment, isHeaderOfNames, isSectionHead, withoutComment } from "./formats/plain.ts";
import {
  FORMATS,
  recognition,
  recognizeLine,
  SOURCE_FORMATS,
  type SourceRecognition,
} from "./formats/table.ts";
import { ENDS_IN_RETURNS } from "./lines.ts";
import {
  DEFANGED_URLS,
  type LineCode,
  ListSourceError,
  type ListSourceErrorCode,
} from "./problems.ts";
import {
  excelDelimiter,
  findHeader,
  isHeaderFor,
  isHeaderRow,
  tableDelimiter,
} from "./records/csv.ts";
import { DELIMITERS } from "./records/csv-rows.ts";
import { shareOfLines } from "./text.ts";

export interface RecognizeOptions {
  /**
   * Whether the bytes are the whole source; `false` by default. If they are not, the last line may be incomplete, and
   * is ignored if there are others.
   */
  readonly isWhole?: boolean | undefined;
  /** The column or field with the entries, if it is known. */
  readonly column?: string | number | undefined;
  /** Whether defanged URLs are read as the original URLs; `false` by default. See `refang`. */
  readonly refang?: boolean | undefined;
}

/** The maximum number of bytes of a source that are used to recognize its format. */
export const RECOGNITION_BYTES: number = 2 ** 16;
const MAX_LINES = 100;
/** The evidence when a source may have any format, because its beginning has only comments. */
export const ONLY_COMMENTS: string = "no lines except comments";

const ADBLOCK_HEADER = /^\[(?:adblock|adguard|ublock|abp)\b[^\]]*\]$/i;
/**
 * Matches a host or URL. Only the first dot of the host is tried, because trying all dots would take quadratic time.
 */
const HOST_OR_URL =
  /^(?:\*\.|\.)?[^\s/:?#@,;|"<>][^\s/:?#@,;|"<>.]*\.[^\s/:?#@,;|"<>]+(?:[/:?#][^\s"<>]*)?$/;
const URL_WITH_SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^\s/"<>]+(?:\/[^\s"<>]*)?$/i;

/**
 * Recognizes the format of a source from its beginning, at most 64 KiB.
 *
 * A prefix list or a JSON document is recognized by its beginning. In other sources, the first hundred lines that are
 * not comments decide: a format is recognized when more than half of these lines have its shape. There are two
 * exceptions: a table is recognized by its header or delimiter, and an Adblock list may have fewer rules. The same
 * bytes always give the same result.
 *
 * @throws {ListSourceError} when the source cannot be read, or its format is not clear: `utf-16`, `compressed`,
 * `document`, `binary`, `html`, `carriage-returns`, `difference-file`, `hash-unclear` or `format-unknown`.
 * @throws TypeError when `start` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { recognizeSource } from "@x/list-source";
 *
 * const bytes = new TextEncoder().encode("# ads\n0.0.0.0 evil.example\n0.0.0.0 bad.example\n");
 * recognizeSource(bytes, { isWhole: true }); // → { format: "hosts", found: "a hosts file", evidence: "2 of 2 lines" }
 * ```
 */
export function recognizeSource(
  start: Uint8Array,
  options: RecognizeOptions = {},
): SourceRecognition {
  const { isWhole = false } = options;
  if (!isUint8Array(start)) throw typeError("start", "a Uint8Array", start);
  const bytes = start.subarray(0, RECOGNITION_BYTES);
  if (isListFile(bytes)) return recognition("prefix-list", "its first bytes");
  const problem = binaryProblem(bytes);
  if (problem !== null) throw problem;
  const isCut = !isWhole || bytes.length < start.length;
  const decoded = new TextDecoder().decode(bytes);
  const text = isCut ? wholeLines(decoded) : decoded;
  const beginning = text.trimStart();
  if (/^<(?:!doctype|!--|\?xml|[a-z])/i.test(beginning)) {
    throw new ListSourceError("html", beginning.startsWith("<?xml") ? "XML" : "HTML");
  }
  const returns = text.match(/\r(?=[^\r\n])/g)?.length ?? 0;
  if (returns > text.split("\n").length - 1) {
    throw new ListSourceError("carriage-returns", ENDS_IN_RETURNS);
  }
  if (isJsonDocument(beginning)) return recognition("json", "its beginning");
  const lines = text.split(/\r?\n/);
  return recognizeLines(options.refang ? lines.map(refangPartly) : lines, options);
}

/**
 * Whether text is one JSON document: an array, an object over several lines, or a single object. Objects on lines of
 * their own are records.
 */
function isJsonDocument(start: string): boolean {
  // TOML has heads of sections such as `[[allow]]`.
  if (/^\[\s*(?:[{"]|\[\s*(?:[[\]{"0-9-]|(?:true|false|null)\b)|\]\s*$)/.test(start)) return true;
  if (!/^\{\s*(?:"|$)/.test(start)) return false;
  // An object that does not end on its first line either spans several lines or is too large to be one of many records.
  const end = start.indexOf("\n");
  const first = (end < 0 ? start : start.slice(0, end)).trimEnd();
  if (!first.endsWith("}")) return true;
  return end < 0 || start.slice(end).trim() === "";
}

/** Recognizes the format of a source that is known to be text. */
function recognizeLines(all: readonly string[], { column }: RecognizeOptions): SourceRecognition {
  const raw = all.filter((line) => line.trim() !== "");
  const rows = raw
    .filter((line) => !isCommentLine(line.trim()) && !isSectionHead(line.trim()))
    .slice(0, MAX_LINES);
  const comments = raw.slice(0, raw.indexOf(rows[0]!));
  // Excel takes the delimiter from a first line such as "sep=;".
  const excel = rows.length > 1 ? excelDelimiter(rows[0]!) : null;
  if (excel !== null) rows.shift();
  const delimiters = excel === null ? DELIMITERS : [excel];
  if (rows.length === 0) return recognition("urls", ONLY_COMMENTS);
  if (ADBLOCK_HEADER.test(rows[0]!.trim())) return recognition("adblock", "its header");
  const known = findHeader(rows[0]!, comments, delimiters, isHeaderFor(column));
  if (known !== null && typeof column !== "number") return recognition("csv", "its header");
  const lines = rows.map((line) => line.trim());
  if (typeof column === "number") return recognition("csv", "the number of a column was given");

  const votes = countShapes(lines);
  const share = (count: number) => shareOfLines(count, lines.length);
  const votesFor = (shape: LineCode | "url") => votes.get(shape) ?? 0;
  const most = (count: number, of = lines.length) => count > of / 2;
  if (most(votesFor("hash-line"))) return recognizeHashes(lines);
  for (const { name, shape } of FORMATS) {
    const count = shape === null ? 0 : votesFor(shape.code);
    if (most(count)) return recognition(name, share(count));
  }
  // Adblock lists may also contain plain hosts and lines of hosts files.
  const filters = votesFor("adblock-rule");
  const urls = votesFor("url");
  if (filters >= lines.length / 10 && most(filters, lines.length - urls - votesFor("hosts-line"))) {
    return recognition("adblock", share(filters));
  }
  const delimiter = tableDelimiter(rows, delimiters);
  if (delimiter !== null) {
    const header = findHeader(rows[0]!, comments, [delimiter], isHeaderRow);
    const hasRows = rows.length > 1;
    if (header !== null && (hasRows || !header.isFirstRow)) return recognition("csv", "its header");
    if (hasRows && most(urls))
      throw unclear("URLs, or a table without a header", '"urls" or "csv" as the format');
    const name = delimiter === "\t" ? "TAB" : delimiter;
    if (hasRows) return recognition("csv", `the same number of "${name}" in most lines`);
  }
  // The only column of a table may have a header.
  const names = lines.length > 1 && isHeaderOfNames(lines[0]!) ? lines.length - 1 : lines.length;
  if (most(urls, names)) return recognition("urls", shareOfLines(urls, names));
  throw unrecognized(votes, lines.length);
}

/**
 * Whether a line is a comment in some format. A comment may also be the header of a table. A cosmetic rule is not a
 * comment.
 */
function isCommentLine(line: string): boolean {
  return isComment(line) && recognizeLine(line)?.code !== "adblock-rule";
}

const isUrl = (text: string): boolean => HOST_OR_URL.test(text) || URL_WITH_SCHEME.test(text);

function countShapes(lines: readonly string[]): Map<LineCode | "url" | "other", number> {
  const votes = new Map<LineCode | "url" | "other", number>();
  for (const line of lines) {
    const entry = withoutComment(line);
    const hasComment = entry.length < line.length && isUrl(entry);
    const shape = hasComment
      ? "url"
      : (recognizeLine(line)?.code ?? (isUrl(line) ? "url" : "other"));
    votes.set(shape, (votes.get(shape) ?? 0) + 1);
  }
  return votes;
}

/** Recognizes hashes. Throws if they are probably hashes of files. */
function recognizeHashes(lines: readonly string[]): SourceRecognition {
  const hex = lines.filter((line) => /^(?:[0-9a-f]{2}){4,32}$/i.test(line));
  const share = (count: number) => shareOfLines(count, lines.length);
  if (hex.length <= lines.length / 2) throw unclear("hashes in base64", "hashes in hexadecimal");
  for (const [digits, name] of [
    [32, "MD5"],
    [40, "SHA-1"],
    [64, "SHA-256"],
  ] as const) {
    if (hex.filter(({ length }) => length === digits).length <= lines.length / 2) continue;
    throw new ListSourceError(
      "hash-unclear",
      `hashes as long as ${name}, which are usually those of files`,
      digits === 64
        ? 'URLs or hosts, or "hex" as the format if these are hashes of URLs'
        : `URLs or hosts, or "hex" as the format for hash prefixes of ${digits / 2} bytes`,
    );
  }
  return recognition("hex", share(hex.length));
}

/** The complete lines at the beginning of a source; all of the text when no line is complete. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

function unclear(found: string, expected: string): ListSourceError {
  return new ListSourceError("format-unknown", found, expected);
}

const NAMES_OF_SHAPES: Readonly<Partial<Record<LineCode | "url" | "other", string>>> = {
  defanged: DEFANGED_URLS,
  html: "HTML",
  "regular-expression": "regular expressions",
};

function unrecognized(
  votes: ReadonlyMap<LineCode | "url" | "other", number>,
  lines: number,
): ListSourceError {
  const [shape, count] = [...votes].sort((a, b) => b[1] - a[1])[0]!;
  const name = count > lines / 2 ? NAMES_OF_SHAPES[shape] : undefined;
  return unclear(
    name ?? "text in no known format",
    `most lines in one format; the formats are ${SOURCE_FORMATS.join(", ")}`,
  );
}

/** The `found` of a `ListSourceError` for a Parquet file. */
export const PARQUET_FILE: string = "a Parquet file";

/**
 * A signature in the first bytes, the error for such files, what they are, and the command that unpacks them to stdout.
 */
type Signature = readonly [RegExp, ListSourceErrorCode, found: string, unpack?: string];
const SIGNATURE_BYTES = 265;

/**
 * The signatures of files that are not text. If one signature is the beginning of another, the longer one comes first.
 */
const SIGNATURES: readonly Signature[] = [
  [/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, "utf-16", "UTF-32 text"],
  [/^(?:\xff\xfe|\xfe\xff)/, "utf-16", "UTF-16 text"],
  [/^\x1f\x8b/, "compressed", "a gzip file", "gzip -dc"],
  [/^PK\x03\x04/, "compressed", "a ZIP archive or an Office document", "unzip -p"],
  [/^PK\x05\x06/, "compressed", "an empty ZIP archive"],
  [/^BZh.1AY&SY/s, "compressed", "a bzip2 file", "bzip2 -dc"],
  [/^\xfd7zXZ\0/, "compressed", "an xz file", "xz -dc"],
  [/^\x28\xb5\x2f\xfd/, "compressed", "a Zstandard file", "zstd -dc"],
  [/^7z\xbc\xaf\x27\x1c/, "compressed", "a 7z archive", "7z x -so"],
  [/^Rar!\x1a/, "compressed", "a RAR archive"],
  [/^.{257}ustar(?:\0| {2}\0)/s, "compressed", "a tar archive", "tar -xOf"],
  [/^\x89PNG\r\n\x1a/, "document", "a PNG image"],
  [/^\xff\xd8\xff/, "document", "a JPEG image"],
  [/^GIF8.a/s, "document", "a GIF image"],
  [/^RIFF.{4}WEBP/s, "document", "a WebP image"],
  [/^\0\0\x01\0/, "document", "an icon"],
  [/^(?:II\*\0|MM\0\*)/, "document", "a TIFF image"],
  [/^%PDF-/, "document", "a PDF document"],
  [/^\{\\rtf/, "document", "an RTF document"],
  [/^\xd0\xcf\x11\xe0/, "document", "an old Office document"],
  [/^SQLite format 3\0/, "document", "an SQLite database"],
  // Text could also begin with "PAR1". In a Parquet file, the type of the first field comes next.
  [/^PAR1\x15/, "document", PARQUET_FILE],
  [/^ARROW1\0\0/, "document", "an Arrow file"],
  [/^Obj\x01/, "document", "an Avro file"],
  [/^\x7fELF/, "binary", "a program"],
];

/** The maximum shares of control characters, and of bytes that are not UTF-8, in text. */
const MOST_CONTROLS = 0.02;
const MOST_BROKEN = 0.1;

/** Why the beginning of a source is not text; null when it is. */
export function binaryProblem(bytes: Uint8Array): ListSourceError | null {
  const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  const [, code, found, command] = SIGNATURES.find(([signature]) => signature.test(start)) ?? [];
  if (code !== undefined) {
    const unpack = command && `text (unpack it first, for example with "${command}")`;
    return new ListSourceError(code, found!, unpack);
  }
  if (isWide(bytes)) return new ListSourceError("utf-16", "UTF-16 text");
  return isText(bytes) ? null : new ListSourceError("binary", "bytes that are not text");
}

/** Recognizes UTF-16 without a byte order mark, in which one of the two bytes of most characters is 0. */
function isWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 1024);
  if (start.length < 4) return false;
  const zeros = [0, 0];
  for (let i = 0; i < start.length; i++) if (start[i] === 0) zeros[i % 2]!++;
  const [even = 0, odd = 0] = zeros.map((count) => (2 * count) / start.length);
  return (odd > 0.6 && even < 0.1) || (even > 0.6 && odd < 0.1);
}

function isText(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const controls = text.match(/[\0-\x08\x0e-\x1f\x7f]/g)?.length ?? 0;
  // The last character may be incomplete, so it does not count.
  const broken = text.slice(0, -1).match(/\ufffd/g)?.length ?? 0;
  return controls <= MOST_CONTROLS * text.length && broken <= MOST_BROKEN * text.length;
}

/** The maximum number of control characters that may come from a few odd URLs. */
const FEW_CONTROLS = 32;

/** Whether bytes have so many control characters that they are not lines, even where lines may contain any bytes. */
export function hasNoLines(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    if (byte <= 0x08 || (byte >= 0x0e && byte <= 0x1f) || byte === 0x7f) controls++;
  }
  return controls > Math.max(FEW_CONTROLS, MOST_CONTROLS * bytes.length);
}

/** Whether bytes begin like a prefix list. @throws ListSourceError for a difference between lists. */
export function isListFile(bytes: Uint8Array): boolean {
  const kind = prefixListFileKind(bytes);
  if (kind === "difference") {
    throw new ListSourceError("difference-file", "a difference between two prefix lists");
  }
  return kind === "list";
}
