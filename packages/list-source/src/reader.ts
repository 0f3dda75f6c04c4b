import { decodePrefixList, type PrefixList, prefixes } from "@x/prefix-list";
import { concatBytes } from "@x/prefix-list/raw-hashes";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import type { FormatName, ParserOptions } from "./formats/format.ts";
import { isSectionHead } from "./formats/plain.ts";
import {
  FORMATS,
  namedFormat,
  type SourceFormat,
  type SourceRecognition,
} from "./formats/table.ts";
import { lineCutter } from "./lines.ts";
import { ListSourceError, type RefusalCode } from "./problems.ts";
import {
  binaryProblem,
  isListFile,
  ONLY_COMMENTS,
  RECOGNITION_BYTES,
  recognizeSource,
} from "./recognize-source.ts";
import { readJsonDocument } from "./records/json-document.ts";
import { isWhere, type LeftOutRows, parseWhere } from "./records/where.ts";
import { type EntryOptions, type Results, resultsOf, type SourceCounts } from "./results.ts";
import { quoted } from "./text.ts";

/** The results of reading a source. */
export interface SourceSummary extends SourceCounts {
  /** The format and the evidence for it. */
  readonly recognition: SourceRecognition;
  /** The name or number of the column or field with the entries; `null` when there is none. */
  readonly column: string | null;
  /** The rows that the option `where` left out, by value. They are among those that do not apply. */
  readonly rowsLeftOut: readonly LeftOutRows[];
  readonly bytes: number;
}

/** Options and callbacks for reading a source. */
export interface ListSourceOptions extends EntryOptions {
  /** The format; by default, it is recognized from the first 64 KiB. */
  readonly format?: SourceFormat | undefined;
  /**
   * The CSV column, by name or by number from 1; the field of JSON lines, or its path; or the path in a JSON document,
   * such as `data[].url`. Only known layouts need none.
   */
  readonly column?: string | number | undefined;
  /**
   * The rows of a table, or records of JSON, that are entries: `"verdict=malicious,phishing"`, several such conditions,
   * or `"all"`. If columns can tell rows apart, a source without this option is refused (`rows-unclear`), unless its
   * layout is known. A value with a comma is in quotation marks.
   */
  readonly where?: string | readonly string[] | undefined;
  /**
   * The column or field with the dates of entries, as in {@link ListSourceOptions.column}, but without a path. Dates
   * are not parsed.
   */
  readonly dateColumn?: string | number | undefined;
  /**
   * The maximum length in bytes of a prefix list or a JSON document, which are kept in memory as a whole, and the
   * maximum number of characters of entries that wait for the end of a table; 2²⁸ (256 Mi) by default.
   */
  readonly maxListBytes?: number | undefined;
}

const MAX_LIST_BYTES = 2 ** 28;

/** Reads a source that is pushed in chunks. */
export interface ListSourceReader {
  /** Reads more bytes. Entries may be reported in a later call, because the format must be recognized first. */
  push(bytes: Uint8Array): void;
  /** Reads the remaining bytes. Nothing may be pushed afterwards. */
  end(): SourceSummary;
}

/**
 * Returns a reader for one list source: push bytes, and the callbacks receive the results.
 *
 * Memory is constant (a block of lines, and 2 MiB for the longest line), however long the source is, with three
 * exceptions. Prefix lists are kept whole, because the checksum covers the whole list, and so are JSON documents. The
 * entries of tables without the option `where` are kept until the last row shows whether rows may mean different
 * things. The results do not depend on how the bytes are split into chunks.
 *
 * @throws TypeError when an option or a chunk has the wrong type.
 * @throws RangeError when `maxListBytes` is negative or `NaN`.
 * @throws {ListSourceError} from `push` and `end`, when the source cannot be read.
 * @example
 * ```ts
 * import { listSourceReader } from "@x/list-source";
 *
 * const found: (string | null)[] = [];
 * const reader = listSourceReader({ onEntry: ({ expression }) => found.push(expression) });
 * reader.push(new TextEncoder().encode("||evil.example^\n||bad.example/x/"));
 * reader.end().recognition.format; // → "adblock"
 * found; // → ["evil.example/", "bad.example/x/"]
 * ```
 */
export function listSourceReader(options: ListSourceOptions): ListSourceReader {
  checkOptions(options);
  const { format, column, dateColumn, where, maxListBytes = MAX_LIST_BYTES } = options;
  const meant = where === undefined ? undefined : (parseWhere(where) ?? undefined);
  const isRecognized = format === undefined;
  const parserOptions = {
    ...{ column, dateColumn, where: meant },
    ...{ isRecognized, maxCharacters: maxListBytes },
  };
  const results = resultsOf(options);
  let recognition = format === undefined ? null : namedFormat(format);
  let bytes = 0;
  let hasEnded = false;
  /** The beginning of a source whose format is not known yet. */
  let pieces: Uint8Array[] = [];
  /** The index of the first line that is used to recognize the format. All lines before it are comments. */
  let from = 0;
  let stage = recognition?.format === "prefix-list" ? listStage(results, maxListBytes) : null;

  /** Goes on from the beginning of the source if its format is known. */
  function begin(isWhole: boolean): void {
    const kept = joined(pieces);
    pieces = [kept];
    while (recognition === null) {
      const end = from + RECOGNITION_BYTES;
      if (!isWhole && kept.length < end) return;
      const found = recognizeSource(kept.subarray(from), { ...options, isWhole });
      const next = kept.lastIndexOf(LINE_FEED, end - 1) + 1;
      const hasMore = found.evidence === ONLY_COMMENTS && next > from && next <= MAX_COMMENT_BYTES;
      if (hasMore) from = next;
      else recognition = found;
    }
    const { format } = recognition;
    if (format === "prefix-list") stage = listStage(results, maxListBytes);
    else {
      refuseBinary(kept.subarray(0, RECOGNITION_BYTES));
      stage =
        format === "json"
          ? documentStage(results, parserOptions, maxListBytes)
          : lineStage(results, parserOptions, format);
    }
    pieces = [];
    stage.push(kept);
  }

  /** Reads a part of the source, and reports its entries even if what follows them cannot be read. */
  function reporting(read: () => void): void {
    try {
      read();
    } finally {
      results.flush();
    }
  }

  return {
    push(piece) {
      if (!isUint8Array(piece)) throw typeError("bytes", "a Uint8Array", piece);
      if (hasEnded) throw new TypeError("Nothing may be pushed after the end of a source.");
      bytes += piece.length;
      reporting(() => {
        if (stage !== null) return stage.push(piece);
        pieces.push(piece.slice());
        if (bytes - from >= RECOGNITION_BYTES) begin(false);
      });
    },
    end() {
      if (!hasEnded) {
        hasEnded = true;
        reporting(() => {
          if (stage === null) begin(true);
          stage!.end();
        });
      }
      return {
        recognition: recognition!,
        column: stage!.column(),
        rowsLeftOut: results.rowsLeftOut(),
        bytes,
        ...results.count,
      };
    },
  };
}

/** Reads the bytes of a source whose format is known. */
interface Stage {
  push(piece: Uint8Array): void;
  end(): void;
  /** The name or number of the column or field with the entries; `null` when there is none, or it is not known yet. */
  column(): string | null;
}

/** The maximum number of bytes of comments before the lines that decide the format of a source. */
const MAX_COMMENT_BYTES = 2 ** 20;
const LINE_FEED = 0x0a;
/** Formats whose lines may be names alone. Nothing says what the names in a section of such a file mean. */
const OF_NAMES: ReadonlySet<FormatName> = new Set(["urls", "domains"]);

const joined = (pieces: readonly Uint8Array[]) =>
  pieces.length === 1 ? pieces[0]! : concatBytes(pieces);

/** Throws if a source that should be text begins like a file of another kind. */
function refuseBinary(start: Uint8Array): void {
  if (isListFile(start)) throw new ListSourceError("binary", "a prefix list");
  const problem = binaryProblem(start);
  if (problem !== null) throw problem;
}

/** Reads text in the given format, line by line. */
function lineStage(results: Results, options: ParserOptions, format: FormatName): Stage {
  const parser = FORMATS.find(({ name }) => name === format)!.parser(results, options);
  const mayHaveSections = OF_NAMES.has(format);
  const cutter = lineCutter((text, problem, hasEnd) => {
    if (problem !== null) parser.end?.();
    results.startLine(hasEnd ? null : { text, parser });
    if (problem !== null) return refuseLine(results, problem, text);
    const line = text.trim();
    if (mayHaveSections && isSectionHead(line)) {
      throw new ListSourceError("foreign-format", `a list with sections, such as ${quoted(line)}`);
    }
    if (line !== "" || parser.isOpen?.()) parser.line(line, text);
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      parser.end?.();
      parser.finish?.();
    },
    column: () => parser.column?.() ?? null,
  };
}

/** Refuses a line that no format can read. If lines in it end in CR, each of them is refused. */
function refuseLine(results: Results, problem: RefusalCode, text: string): void {
  const lines =
    problem === "carriage-return" ? text.split("\r").filter((line) => line.trim() !== "") : [];
  if (lines.length === 0) results.refuse(problem, text);
  for (const line of lines) results.refuse(problem, line);
}

/**
 * Keeps a source until it is complete. `what` is the source in words. `read` returns the name of the column with the
 * entries.
 */
function wholeStage(
  what: string,
  maxBytes: number,
  read: (source: Uint8Array) => string | null,
): Stage {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let column: string | null = null;
  return {
    push(piece) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        pieces = [];
        throw new ListSourceError("list-too-large", `${what} of more than ${maxBytes} bytes`);
      }
      pieces.push(piece.slice());
    },
    end() {
      const source = joined(pieces);
      pieces = [];
      column = read(source);
    },
    column: () => column,
  };
}

/** The end of a JSON document may say where the entries are. */
const documentStage = (results: Results, options: ParserOptions, maxBytes: number): Stage =>
  wholeStage("a JSON document", maxBytes, (source) =>
    readJsonDocument(new TextDecoder().decode(source), results, options),
  );

/** The checksum of a prefix list covers all of it. */
function listStage(results: Results, maxBytes: number): Stage {
  return wholeStage("a prefix list", maxBytes, (source) => {
    for (const prefix of prefixes(decoded(source))) {
      results.startLine(null);
      results.hash(prefix);
    }
    return null;
  });
}

function decoded(file: Uint8Array): PrefixList {
  try {
    return decodePrefixList(file);
  } catch (error) {
    const found = "a prefix list that cannot be read";
    throw new ListSourceError("list-unreadable", found, undefined, error);
  }
}

/**
 * Reads a list source, such as a file's stream, to its end. For details, see {@link listSourceReader}.
 *
 * @throws {ListSourceError} when the source cannot be read. Errors of `chunks` are passed on.
 * @throws TypeError when an option or a chunk has the wrong type.
 * @throws RangeError when `maxListBytes` is negative or `NaN`.
 * @example
 * ```ts
 * import { readListSource } from "@x/list-source";
 *
 * const file = new TextEncoder().encode("evil.example\nhxxp://bad[.]example/\n");
 * const entries: (string | null)[] = [];
 * const summary = await readListSource([file], {
 *   format: "urls",
 *   onEntry: ({ expression }) => entries.push(expression),
 *   onRefusal: ({ line, code }) => entries.push(`line ${line}: ${code}`),
 * });
 * entries; // → ["evil.example/", "line 2: defanged"]
 * [summary.entries, summary.refused]; // → [1, 1]
 * ```
 */
export async function readListSource(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: ListSourceOptions,
): Promise<SourceSummary> {
  const reader = listSourceReader(options);
  for await (const bytes of chunks) reader.push(bytes);
  return reader.end();
}

/** Whether a value can name a column: it is a non-empty string or a whole number from 1. */
export function isColumn(value: unknown): value is string | number {
  if (typeof value === "number") return Number.isInteger(value) && value > 0;
  return typeof value === "string" && value !== "";
}

function checkOptions(options: ListSourceOptions): void {
  const { column, dateColumn, where, maxListBytes = 0, onEntry } = options;
  if (typeof onEntry !== "function") throw typeError("onEntry", "a function", onEntry);
  if (column !== undefined && !isColumn(column)) {
    throw typeError("column", "a name or a number from 1", column);
  }
  if (dateColumn !== undefined && !isColumn(dateColumn)) {
    throw typeError("dateColumn", "a name or a number from 1", dateColumn);
  }
  if (where !== undefined && !isWhere(where)) {
    throw typeError("where", 'conditions such as "verdict=malicious", or "all"', where);
  }
  if (typeof maxListBytes !== "number") throw typeError("maxListBytes", "a number", maxListBytes);
  if (!(maxListBytes >= 0)) {
    throw new RangeError(`maxListBytes must be 0 or more, not ${maxListBytes}`);
  }
}
