import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { entryMaker } from "./entry-maker.ts";
import type { LintOptions } from "./entry-warnings.ts";
import { namedFormat, type SourceFormat, type SourceRecognition } from "./recognize/recognition.ts";
import { RECOGNITION_BYTES } from "./recognize/source.ts";
import { isWhere, type LeftOutRows, parseWhere } from "./records/where.ts";
import type { SourceCallbacks, SourceCounts } from "./reporter.ts";
import { documentStage, lineStage, listStage, recognizingStage, type Stage } from "./stages.ts";
import type { HashOptions } from "./waiting-entries.ts";

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
export interface ListSourceOptions extends SourceCallbacks, LintOptions, HashOptions {
  /** The format; by default, it is recognized from the first 64 KiB. */
  readonly format?: SourceFormat | undefined;
  /**
   * The CSV column, by name or by number from 1, or the JSON field or its path, such as `data[].url`; by default, the
   * only one that may have the entries, or that of a known layout.
   */
  readonly column?: string | number | undefined;
  /**
   * The rows of a table, or records of JSON, that are entries: `"verdict=malicious,phishing"`, several such conditions,
   * or `"all"`. If columns can tell rows apart, a source without this option is refused (`rows-unclear`), unless its
   * layout is known. A value with a comma is in quotation marks.
   */
  readonly where?: string | readonly string[] | undefined;
  /** Whether defanged URLs are read as the original URLs; `false` by default. See `refang`. */
  readonly refang?: boolean | undefined;
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
  const { format, column, where, maxListBytes = MAX_LIST_BYTES } = options;
  const meant = where === undefined ? undefined : (parseWhere(where) ?? undefined);
  const parserOptions = { column, where: meant, maxCharacters: maxListBytes };
  const entries = entryMaker(options);
  let recognition = format === undefined ? null : namedFormat(format);
  let bytes = 0;
  let hasEnded = false;
  let stage =
    recognition?.format === "prefix-list"
      ? listStage(entries, maxListBytes)
      : recognizingStage(recognition, options, goOn);

  /** Goes on from the beginning of the source, whose format is now known. */
  function goOn(found: SourceRecognition, beginning: Uint8Array): Stage {
    recognition = found;
    const start = beginning.subarray(0, RECOGNITION_BYTES);
    if (found.format === "prefix-list") stage = listStage(entries, maxListBytes);
    else if (found.format === "json")
      stage = documentStage(start, entries, parserOptions, maxListBytes);
    else stage = lineStage(start, entries, parserOptions, found.format);
    stage.push(beginning);
    return stage;
  }

  /** Reads a part of the source, and reports its entries even if what follows them cannot be read. */
  function reporting(read: () => void): void {
    try {
      read();
    } finally {
      entries.flush();
    }
  }

  return {
    push(piece) {
      if (!isUint8Array(piece)) throw typeError("bytes", "a Uint8Array", piece);
      if (hasEnded) throw new TypeError("Nothing may be pushed after the end of a source.");
      bytes += piece.length;
      reporting(() => stage.push(piece));
    },
    end() {
      if (!hasEnded) {
        hasEnded = true;
        reporting(() => stage.end());
      }
      return {
        recognition: recognition!,
        column: stage.column(),
        rowsLeftOut: entries.rowsLeftOut(),
        bytes,
        ...entries.count,
      };
    },
  };
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

function checkOptions({ column, where, maxListBytes = 0, onEntry }: ListSourceOptions): void {
  if (typeof onEntry !== "function") throw typeError("onEntry", "a function", onEntry);
  if (column !== undefined && !isColumn(column)) {
    throw typeError("column", "a name or a number from 1", column);
  }
  if (where !== undefined && !isWhere(where)) {
    throw typeError("where", 'conditions such as "verdict=malicious", or "all"', where);
  }
  if (typeof maxListBytes !== "number") throw typeError("maxListBytes", "a number", maxListBytes);
  if (!(maxListBytes >= 0)) {
    throw new RangeError(`maxListBytes must be 0 or more, not ${maxListBytes}`);
  }
}
