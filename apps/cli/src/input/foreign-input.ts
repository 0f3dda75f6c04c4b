import { Failure } from "@x/command-line";
import { foreignRefusal, type Refusal, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  foreignLine,
  foreignSource,
  type ListSourceError,
  type ListSourceErrorCode,
  PARQUET_FILE,
  type RecognizeOptions,
  recognizeSource,
  refang,
} from "@x/list-source";
import { linesIn } from "@x/lookup/lines";
import { hasName } from "@x/sha256-prefix/has-name";
import type { InputPart, Noun, RefusedInput } from "../output/results.ts";
import { isUnpacked, nameOf } from "./read-file.ts";

/**
 * @param start the beginning of an input, as it arrived.
 * @throws {Failure} when the input looks like a format other than one `noun` per line.
 */
export function refuseForeignInput(
  start: Uint8Array,
  name: string,
  noun: Noun | "hashed URI",
): void {
  // A URL may contain any bytes, but a hashed URI may not.
  const found = foreignSource(start, { allowBinary: noun !== "hashed URI" });
  if (found === null) return;
  const problem = sourceProblem(start);
  // For a compressed file, `expected` says how to unpack the file.
  const expected = problem?.code === "compressed" ? problem.expected : `one ${noun} per line`;
  const advice = adviceFor(start, name) + sqlAdvice(found, name);
  throw new Failure(`${name} looks like ${found}: expected ${expected}${advice}`);
}

/** Suggests `urlhash sql` for a Parquet file. @param name the printable name of the file. */
export function sqlAdvice(found: string, name: string): string {
  if (found !== PARQUET_FILE) return "";
  const file = name === nameOf("-") ? "FILE.parquet" : name.replaceAll("'", "''");
  return ` (urlhash sql "SELECT … FROM '${file}'" reads it)`;
}

/** Suggests `--file` for compressed stdin, because the command unpacks files, but not stdin. */
function adviceFor(start: Uint8Array, name: string): string {
  return name === nameOf("-") && isUnpacked(start) ? ", or name the file with --file" : "";
}

/** The problem with a file that is a prefix list or has no recognizable format; `null` for other files. */
export function sourceProblem(
  start: Uint8Array,
  options: RecognizeOptions = {},
): Pick<ListSourceError, "code" | "found" | "expected"> | null {
  try {
    const { format, found } = recognizeSource(start, options);
    return format === "prefix-list" ? { code: "document", found, expected: "text" } : null;
  } catch (error) {
    if (hasName<ListSourceError>(error, "ListSourceError")) return error;
    throw error;
  }
}

/** Throws a {@link Failure} when a file with these first bytes cannot be read. */
type RefuseFile = (start: Uint8Array, file: string) => void;

function refusing(...kinds: readonly ListSourceErrorCode[]): RefuseFile {
  return (start, file) => {
    const problem = sourceProblem(start);
    if (problem === null || !kinds.includes(problem.code)) return;
    const name = nameOf(file);
    const advice = sqlAdvice(problem.found, name);
    throw new Failure(`${name} looks like ${problem.found}: expected ${problem.expected}${advice}`);
  };
}

/** Refuses a file that has no lines, such as a Parquet file. Lines may have any contents. */
export const refuseWithoutLines: RefuseFile = refusing(
  "utf-16",
  "compressed",
  "document",
  "difference-file",
);

/** Refuses UTF-16 and compressed files, in which a search for the bytes of links would find nothing. */
export const refuseHidden: RefuseFile = refusing("utf-16", "compressed");

/** Also refuses documents such as PDF and Parquet files, whose contents are usually compressed or escaped. */
export const refuseOpaque: RefuseFile = refusing("utf-16", "compressed", "document");

/** The first line of a calendar (RFC 5545) or of contacts (RFC 6350). */
const FOLDED = /^(?:\xef\xbb\xbf)?\s*BEGIN:V(?:CALENDAR|CARD)\s/i;

/** Also refuses calendars and contacts, whose long lines are folded, so that links are cut. */
export const refuseDocuments: RefuseFile = (start, file) => {
  refuseOpaque(start, file);
  if (!FOLDED.test(Buffer.from(start).toString("latin1"))) return;
  throw new Failure(
    `${nameOf(file)} looks like a calendar or contacts, whose long lines are folded: expected text (--as text reads the lines as they are)`,
  );
};

/** Matches a URI without an authority, such as a URN. */
const OPAQUE_URI = /^(?!h..p:)[a-z][a-z0-9+.-]*:(?!\/\/)\S*$/i;
/**
 * The codes of inputs that look like lists or patterns of hosts. A relative URI has no host, but its path may start
 * with the same characters.
 */
const OF_HOSTS: ReadonlySet<string> = new Set(["comma-separated", "url-unclear", "host-invalid"]);
const LONGEST_LOOK = 1024;

function isUri(input: Uint8Array, code: string): boolean {
  const bytes = input.subarray(0, LONGEST_LOOK);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return OPAQUE_URI.test(text) || (OF_HOSTS.has(code) && !text.includes("://"));
}

/**
 * Returns a refusal of an argument or a line that looks like something other than a URL or URI, such as a row of a
 * table or a filter rule; `null` for other inputs.
 */
export function foreignInput(input: string | Uint8Array, noun: Noun): Refusal | null {
  const isArgument = typeof input === "string";
  // Only the beginning of a line that is too long was kept, so its format cannot be recognized.
  if (!isArgument && tooLongLine(input) !== null) return null;
  const looksLike = foreignLine(input);
  if (looksLike === null) return null;
  const bytes = isArgument ? Buffer.from(input) : input;
  if (noun === "URI" && isUri(bytes, looksLike.code)) return null;
  return foreignRefusal(input, looksLike, isArgument ? `a ${noun}` : `one ${noun} per line`);
}

/** Turns the defanged URLs in a part of the input back into the original ones. Lines keep their numbers. */
export function refangPart(part: InputPart): InputPart {
  if (!("place" in part)) return { ...part, bytes: refangLines(part.bytes, part) };
  const text = typeof part.text === "string" ? refang(part.text) : refangLine(part.text);
  return { ...part, text };
}

function refangLines(bytes: Uint8Array, block: Parameters<typeof linesIn>[0]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const line of linesIn(block)) {
    const given = bytes.subarray(line.start, line.end);
    const meant = refangLine(given);
    if (meant === given) continue;
    pieces.push(bytes.subarray(end, line.start), meant);
    end = line.end;
  }
  return end === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(end)]);
}

/**
 * Turns a defanged line back into the original URL. A line that is not defanged, is too long or is not UTF-8 stays as
 * it is.
 */
function refangLine(line: Uint8Array): Uint8Array {
  if (tooLongLine(line) !== null || foreignLine(line)?.code !== "defanged") return line;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  return text.includes("\ufffd") ? line : Buffer.from(refang(text));
}

/** The codes of texts that may have a URL with other text around it. */
const OTHER_TEXT: ReadonlySet<string> = new Set(["quoted", "space", "url-unclear", "host-invalid"]);
const URL_AFTER_TEXT = /.https?:\/\//is;

/**
 * Adds advice to a refusal: about `--refang` if the input is defanged, and about `--find` if a URL is only part of it.
 */
export function withAdvice(refused: RefusedInput, input: string | Uint8Array): RefusedInput {
  const { code, message } = refused.error;
  const text = typeof input === "string" ? input : Buffer.from(input).toString();
  if (code === "defanged") {
    return { ...refused, text: `${printable(message)} ${refangAdvice(text)}` };
  }
  if (!OTHER_TEXT.has(code) || !URL_AFTER_TEXT.test(text)) return refused;
  return { ...refused, text: `${printable(message)} (check --find checks the links in a text)` };
}

/** Says that an argument is empty or blank, instead of what a parser expects at its start. */
export function refusedBlank(refused: RefusedInput, text: string, noun: Noun): RefusedInput {
  const what = text === "" ? "is empty" : "is blank";
  return { ...refused, text: `"${printable(text)}" ${what}: expected a ${noun}` };
}

/** Says whether `--refang` can turn a defanged input back. */
export function refangAdvice(text: string): string {
  return refang(text) === text ? "(--refang cannot turn it back)" : "(--refang turns it back)";
}
