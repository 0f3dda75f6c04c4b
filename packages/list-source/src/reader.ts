import { decodePrefixList, prefixes } from "@x/prefix-list";
import { concatBytes } from "@x/prefix-list/raw-hashes";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { entryMaker, type SourceCallbacks, type SourceCounts } from "./entry-maker.ts";
import type { FormatName, LineParser } from "./formats/format.ts";
import { isColumn } from "./formats/parts/columns.ts";
import { FORMATS } from "./formats/table.ts";
import { readJsonDocument } from "./json/document.ts";
import { lineCounter, lineCutter } from "./lines.ts";
import type { LintOptions } from "./lint.ts";
import { binaryProblem, isListFile, unreadable } from "./recognize/bytes.ts";
import { foreignSection } from "./recognize/foreign-format.ts";
import { namedFormat, type SourceFormat, type SourceRecognition } from "./recognize/format.ts";
import { ONLY_COMMENTS, RECOGNITION_BYTES, recognizeSource } from "./recognize/source.ts";
import type { RefusalCode } from "./refusal.ts";
import type { HashOptions } from "./waiting-entries.ts";

/** The results of reading a source. */
export interface SourceSummary extends SourceCounts {
  /** The format and the evidence for it. */
  readonly recognition: SourceRecognition;
  /** The name or number of the column or field with the entries; `null` when there is none. */
  readonly column: string | null;
  readonly bytes: number;
}

/** Options and callbacks for reading a source. */
export interface ListSourceOptions extends SourceCallbacks, LintOptions, HashOptions {
  /** The format; by default, it is recognized from the first 64 KiB. */
  readonly format?: SourceFormat | undefined;
  /**
   * The CSV column, by name or by number from 1, or the JSON field or its path, such as `data[].url`; by default, the
   * first with a usual name.
   */
  readonly column?: string | number | undefined;
  /** Whether defanged URLs are read as the original URLs; `false` by default. See `refang`. */
  readonly refang?: boolean | undefined;
  /**
   * The maximum length in bytes of a prefix list or a JSON document, which are kept in memory as a whole; 2²⁸ (256 MiB)
   * by default.
   */
  readonly maxListBytes?: number | undefined;
}

const MAX_LIST_BYTES = 2 ** 28;
/** How many bytes of comments at the beginning of a source may precede the lines that decide its format. */
const MAX_COMMENT_BYTES = 2 ** 20;
const LINE_FEED = 0x0a;
/** The formats whose lines may be names alone, which may be allowed in a file of another format. */
const OF_NAMES: ReadonlySet<FormatName> = new Set(["urls", "domains", "adblock"]);

const joined = (pieces: readonly Uint8Array[]) =>
  pieces.length === 1 ? pieces[0]! : concatBytes(pieces);

/** A stage of reading a source. It handles the bytes and the end of the source. */
interface Stage {
  push(piece: Uint8Array): void;
  end(): void;
}

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
 * Memory is constant (a block of lines, and 2 MiB for the longest line), however long the source is. Only a prefix list,
 * because its checksum covers all of it, and a JSON document, because its end may say where the entries are, are kept
 * whole. The results do not depend on how the bytes are split into chunks.
 *
 * @throws TypeError when an option or a chunk has the wrong type.
 * @throws RangeError when `maxListBytes` is negative or not a number.
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
  const { format, column, refang, maxListBytes = MAX_LIST_BYTES } = options;
  const entries = entryMaker(options);
  let recognition = format === undefined ? null : namedFormat(format);
  let parser: LineParser | null = null;
  let bytes = 0;
  let hasEnded = false;
  /** The path of the entries in a JSON document. */
  let path: string | null = null;
  /** First {@link recognizing}, then {@link readingLines}, {@link keepingDocument} or {@link keepingList}. */
  let stage = recognition?.format === "prefix-list" ? keepingList() : recognizing();

  /** Keeps the beginning of the source until its format can be recognized, and then goes on to the next stage. */
  function recognizing(): Stage {
    let pieces: Uint8Array[] = [];
    /** Where the lines start from which the format is recognized. The lines before them are comments. */
    let from = 0;

    /** Returns `null` when more of the source is needed. */
    function recognize(kept: Uint8Array, isWhole: boolean): SourceRecognition | null {
      for (;;) {
        const end = from + RECOGNITION_BYTES;
        if (!isWhole && kept.length < end) return null;
        const found = recognizeSource(kept.subarray(from), { isWhole, column, refang });
        const next = kept.lastIndexOf(LINE_FEED, end - 1) + 1;
        const isDone = found.evidence !== ONLY_COMMENTS || next <= from;
        if (isDone || next > MAX_COMMENT_BYTES) return found;
        from = next;
      }
    }

    function goOn({ isWhole }: { readonly isWhole: boolean }): void {
      const kept = joined(pieces);
      pieces = [kept];
      recognition ??= recognize(kept, isWhole);
      if (recognition === null) return;
      const { format } = recognition;
      const start = kept.subarray(0, RECOGNITION_BYTES);
      if (format === "prefix-list") stage = keepingList();
      else stage = format === "json" ? keepingDocument(start) : readingLines(format, start);
      stage.push(kept);
    }

    return {
      push(piece) {
        pieces.push(piece.slice());
        if (bytes - from >= RECOGNITION_BYTES) goOn({ isWhole: false });
      },
      end() {
        goOn({ isWhole: true });
        stage.end();
      },
    };
  }

  function refuseBinary(start: Uint8Array): void {
    if (isListFile(start)) throw unreadable("binary", "a prefix list");
    const problem = binaryProblem(start);
    if (problem !== null) throw problem;
  }

  /** Keeps the text of a JSON document until it is complete, because its end may say where the entries are. */
  function keepingDocument(start: Uint8Array): Stage {
    refuseBinary(start);
    const decoder = new TextDecoder();
    let text = "";

    function add(piece: Uint8Array | null): void {
      if (bytes > maxListBytes) {
        text = "";
        throw unreadable("list-too-large", `a JSON document of more than ${maxListBytes} bytes`);
      }
      text += piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
    }

    return {
      push: add,
      end() {
        add(null);
        const lineOf = lineCounter(text);
        const at = (index: number) => entries.goToLine(lineOf(index));
        path = readJsonDocument(text, { ...entries, at }, column);
        at(text.endsWith("\n") ? text.length - 1 : text.length);
        text = "";
      },
    };
  }

  /** Reads text in the given format, line by line. */
  function readingLines(format: FormatName, start: Uint8Array): Stage {
    refuseBinary(start);
    const lines = FORMATS.find(({ name }) => name === format)!.parser(entries, column);
    parser = lines;
    const mayBeForeign = OF_NAMES.has(format);
    const cutter = lineCutter((text, problem, hasEnd) => {
      if (problem !== null) lines.end?.();
      entries.startLine(hasEnd ? null : { text, parser: lines });
      if (problem !== null) return refuseLine(problem, text);
      const line = text.trim();
      const section = mayBeForeign && line[0] === "{" ? foreignSection(line) : null;
      if (section !== null) throw section;
      if (line !== "" || lines.isOpen?.()) lines.line(line, text);
    });
    return {
      push: cutter.push,
      end() {
        cutter.end();
        lines.end?.();
      },
    };
  }

  /** Refuses a line that no format can read. If lines end in CR, each of them counts. */
  function refuseLine(problem: RefusalCode, text: string): void {
    const lines =
      problem === "carriage-return" ? text.split("\r").filter((line) => line.trim() !== "") : [];
    if (lines.length === 0) entries.refuse(problem, text);
    for (const line of lines) entries.refuse(problem, line);
  }

  /** Keeps the bytes of a prefix list until the list is complete, because the checksum covers all of it. */
  function keepingList(): Stage {
    let pieces: Uint8Array[] = [];

    function checkSize(): void {
      if (bytes <= maxListBytes) return;
      pieces = [];
      throw unreadable("list-too-large", `a prefix list of more than ${maxListBytes} bytes`);
    }

    return {
      push(piece) {
        checkSize();
        pieces.push(piece.slice());
      },
      end() {
        checkSize();
        for (const prefix of prefixesIn(joined(pieces))) {
          entries.startLine(null);
          entries.hash(prefix);
        }
        pieces = [];
      },
    };
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
        column: path ?? parser?.column?.() ?? null,
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
 * @throws RangeError when `maxListBytes` is negative or not a number.
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

function checkOptions({ column, maxListBytes = 0, onEntry }: ListSourceOptions): void {
  if (typeof onEntry !== "function") throw typeError("onEntry", "a function", onEntry);
  if (column !== undefined && !isColumn(column)) {
    throw typeError("column", "a name or a number from 1", column);
  }
  if (typeof maxListBytes !== "number") throw typeError("maxListBytes", "a number", maxListBytes);
  if (!(maxListBytes >= 0)) {
    throw new RangeError(`maxListBytes must be 0 or more, not ${maxListBytes}`);
  }
}

/** The prefixes in the bytes of a prefix list. */
function prefixesIn(file: Uint8Array): Iterable<Uint8Array> {
  try {
    return prefixes(decodePrefixList(file));
  } catch (error) {
    throw unreadable("list-unreadable", "a prefix list that cannot be read", error);
  }
}
