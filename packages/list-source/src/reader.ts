import type { CanonicalUrl } from "@x/canon";
import { type Expression, exactExpression } from "@x/expressions";
import { decodePrefixList, prefixes } from "@x/prefix-list";
import { fullHash, isUint8Array } from "@x/sha256-prefix";
import { type EntryKind, entryUrl } from "./entry.ts";
import type { ListSourceError } from "./error.ts";
import { lineParser } from "./formats/line-parser.ts";
import type { LineParser, Output } from "./formats/parser.ts";
import { entryForms, type LastLine } from "./last-line.ts";
import { lineCutter } from "./lines.ts";
import { type LintOptions, linter, type Warning, type WarningCode } from "./lint.ts";
import { binaryProblem, isListFile, unreadable } from "./recognize/bytes.ts";
import { namedFormat, type SourceFormat, type SourceRecognition } from "./recognize/format.ts";
import { RECOGNITION_BYTES, recognizeSource } from "./recognize/source.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import { typeError } from "./type-error.ts";

/** One entry of a list. */
export interface SourceEntry {
  /** The line of the entry, from 1; in a prefix list, the number of the prefix. */
  readonly line: number;
  /** The URL, host or expression as the source has it. `null` when the source contains hashes. */
  readonly text: string | null;
  /** The expression: a host suffix and a path prefix. `null` when the source contains hashes. */
  readonly expression: Expression | null;
  /** The full hash of the expression, or the full hash or hash prefix in the source: 4 to 32 bytes. */
  readonly hash: Uint8Array;
}

/** The results of reading a source, final or so far. */
export interface SourceSummary {
  /** The format and the evidence for it; `null` until it is recognized. */
  readonly recognition: SourceRecognition | null;
  /** The name or number of the column or field with the entries; `null` when there is none. */
  readonly column: string | null;
  readonly bytes: number;
  readonly lines: number;
  /** The number of entries, repetitions included. */
  readonly entries: number;
  /** Lines, names and fields that should have become entries, but did not. */
  readonly refused: number;
  /** Parts of the format that stand for no URL: cosmetic rules, `localhost`, records of the zone. */
  readonly notApplicable: number;
  readonly warnings: number;
}

/** Options and callbacks for reading a source. */
export interface ListSourceOptions extends LintOptions {
  /** The format; by default, it is recognized from the first 64 KiB. */
  readonly format?: SourceFormat | undefined;
  /** The CSV column, by name or by number from 1, or the JSON field; by default, the first with a usual name. */
  readonly column?: string | number | undefined;
  /** The maximum length in bytes of a prefix list, which is kept whole; 2²⁸ (256 MiB) by default. */
  readonly maxListBytes?: number | undefined;
  /** Called with each entry. */
  readonly onEntry: (entry: SourceEntry) => void;
  /** Called for each line, name or field that was refused. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Called with each warning, after the entry it is about. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

const MAX_LIST_BYTES = 2 ** 28;

/** Reads a source that is pushed in pieces. */
export interface ListSourceReader {
  /** Reads more bytes. Entries may come later than their bytes, since the format is recognized first. */
  push(bytes: Uint8Array): void;
  /** Reads the remaining bytes. Nothing may be pushed afterwards. */
  end(): SourceSummary;
  /** The results so far, for progress. */
  summary(): SourceSummary;
}

/**
 * Returns a reader for one list source: push bytes, and the callbacks receive the entries.
 *
 * Memory is constant (a block of lines, and 2 MiB for the longest line), whatever the source contains. Only a
 * prefix list is kept whole, because its checksum covers all of it. The results do not depend on how the bytes
 * are split into pieces.
 *
 * @throws TypeError when an option or a piece has the wrong type.
 * @throws RangeError when `maxListBytes` is not a number from 0.
 * @throws {ListSourceError} from `push` and `end`, when the source cannot be read.
 * @example
 * ```ts
 * import { listSourceReader } from "@x/list-source";
 *
 * const found: (string | null)[] = [];
 * const reader = listSourceReader({ onEntry: ({ expression }) => found.push(expression) });
 * reader.push(new TextEncoder().encode("||evil.example^\n||bad.example/x/"));
 * reader.end().recognition?.format; // → "adblock"
 * found; // → ["evil.example/", "bad.example/x/"]
 * ```
 */
export function listSourceReader(options: ListSourceOptions): ListSourceReader {
  const { column, maxListBytes = MAX_LIST_BYTES, onEntry, onRefusal, onWarning } = options;
  if (typeof onEntry !== "function") throw typeError("onEntry", "a function", onEntry);
  if (typeof column === "number" ? !(Number.isInteger(column) && column > 0) : !isText(column)) {
    throw typeError("column", "a name or a number from 1", column);
  }
  if (typeof maxListBytes !== "number") throw typeError("maxListBytes", "a number", maxListBytes);
  if (!(maxListBytes >= 0)) {
    throw new RangeError(`maxListBytes must be a number from 0, not ${maxListBytes}`);
  }
  let recognition = options.format === undefined ? null : namedFormat(options.format);
  const count = { bytes: 0, lines: 0, entries: 0, refused: 0, notApplicable: 0, warnings: 0 };
  let parser: LineParser | null = null;
  /** The bytes pushed before the format was known; for a prefix list, all bytes. */
  let waiting: Uint8Array[] = [];
  let hasEnded = false;
  /** The line of the last entry. */
  let entryLine = 0;
  /** The last line, if it has no line end. */
  let openEnd: string | null = null;
  const forms = entryForms();

  const lint = linter(options, warn);
  const cutter = lineCutter((text, problem, hasEnd) => {
    if (problem !== null) parser!.end?.();
    count.lines++;
    if (problem !== null) return refuse(problem, text);
    if (!hasEnd) openEnd = text;
    const line = text.trim();
    if (line !== "" || parser!.isOpen?.()) parser!.line(line, text);
  });

  const output: Output = {
    entry: addEntry,
    hash(bytes, warning) {
      const last = openEnd === null ? "whole" : forms.compareHash(bytes);
      if (last === "cut") return refuse("line-cut", openEnd!);
      forms.addHash(bytes);
      count.entries++;
      entryLine = count.lines;
      onEntry({ line: entryLine, text: null, expression: null, hash: bytes });
      if (warning !== undefined) warn(warning, null, null);
      if (last === "unsure") warn("line-end-missing", null, null);
    },
    refuse,
    notApplicable() {
      count.notApplicable++;
    },
    severalColumns(columns) {
      count.warnings++;
      const about = { line: count.lines, expression: null, coveredBy: null };
      onWarning?.({ ...about, code: "several-columns", columns });
    },
  };

  function addEntry(text: string, kind: EntryKind, lines = 1, warning?: WarningCode) {
    const url = entryUrl(text, kind);
    if (typeof url === "string") return refuse(url, text, lines);
    const last = openEnd === null ? "whole" : compareLast(openEnd, text, url);
    if (last === "cut") return refuse("line-cut", openEnd!, lines);
    forms.add(url);
    const expression = exactExpression(url);
    count.entries++;
    entryLine = count.lines - lines + 1;
    onEntry({ line: entryLine, text, expression, hash: fullHash(expression) });
    if (warning !== undefined) warn(warning, expression, null);
    if (last === "unsure") warn("line-end-missing", expression, null);
    lint(text, url, expression);
  }

  /** What the last line may be, by its format and by its entry. */
  function compareLast(line: string, text: string, url: CanonicalUrl): LastLine {
    const last = parser!.lastLine?.() ?? "whole";
    return last === "whole" && line.endsWith(text) ? forms.compare(url) : last;
  }

  function refuse(code: RefusalCode, text: string, lines = 1): void {
    count.refused += lines;
    onRefusal?.(refusal(count.lines - lines + 1, lines, code, text));
  }

  function warn(
    code: WarningCode,
    expression: Expression | null,
    coveredBy: Expression | null,
  ): void {
    count.warnings++;
    onWarning?.({ line: entryLine, code, expression, coveredBy, columns: null });
  }

  /** Settles the format by the beginning of the source. */
  function begin(start: Uint8Array, isWhole: boolean): void {
    if (recognition === null) recognition = recognizeSource(start, { isWhole, column });
    const { format } = recognition;
    if (format === "prefix-list") {
      if (count.bytes > maxListBytes) throw tooLarge();
      return;
    }
    if (isListFile(start)) throw unreadable("binary", "a prefix list");
    const problem = binaryProblem(start);
    if (problem !== null) throw problem;
    parser = lineParser(format, output, column);
    waiting = [];
    cutter.push(start);
  }

  function readPrefixList(file: Uint8Array): void {
    let list: Iterable<Uint8Array>;
    try {
      list = prefixes(decodePrefixList(file));
    } catch (error) {
      throw unreadable("list-unreadable", "a prefix list that cannot be read", error);
    }
    for (const hash of list) {
      count.lines++;
      output.hash(hash as Uint8Array<ArrayBuffer>);
    }
  }

  function tooLarge(): ListSourceError {
    waiting = [];
    return unreadable("list-too-large", `a prefix list of more than ${maxListBytes} bytes`);
  }

  function summary(): SourceSummary {
    return { recognition, column: parser?.column?.() ?? null, ...count };
  }

  return {
    push(bytes) {
      if (!isUint8Array(bytes)) throw typeError("bytes", "a Uint8Array", bytes);
      if (hasEnded) throw new TypeError("Nothing may be pushed after the end of a source.");
      count.bytes += bytes.length;
      if (parser !== null) return cutter.push(bytes);
      if (recognition?.format === "prefix-list" && count.bytes > maxListBytes) throw tooLarge();
      waiting.push(bytes.slice());
      if (count.bytes < RECOGNITION_BYTES || recognition?.format === "prefix-list") return;
      const start = concat(waiting);
      const first = start.subarray(0, RECOGNITION_BYTES);
      begin(first, false);
      if (parser !== null) cutter.push(start.subarray(RECOGNITION_BYTES));
    },
    end() {
      if (hasEnded) return summary();
      hasEnded = true;
      if (parser === null) begin(concat(waiting), true);
      if (parser === null) readPrefixList(concat(waiting));
      else {
        cutter.end();
        (parser as LineParser).end?.();
      }
      waiting = [];
      return summary();
    },
    summary,
  };
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value !== "");
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    whole.set(piece, length);
    length += piece.length;
  }
  return whole;
}
