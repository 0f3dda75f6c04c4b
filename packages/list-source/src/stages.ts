import { decodePrefixList, prefixes } from "@x/prefix-list";
import { concatBytes } from "@x/prefix-list/raw-hashes";
import type { EntryMaker } from "./entry-maker.ts";
import type { FormatName, ParserOptions } from "./formats/format.ts";
import { FORMATS } from "./formats/table.ts";
import { lineCutter } from "./lines.ts";
import { binaryProblem, isListFile, unreadable } from "./recognize/bytes.ts";
import { foreignSection, sectionOfNames } from "./recognize/other-software.ts";
import type { SourceRecognition } from "./recognize/recognition.ts";
import {
  ONLY_COMMENTS,
  RECOGNITION_BYTES,
  type RecognizeOptions,
  recognizeSource,
} from "./recognize/source.ts";
import { readJsonDocument } from "./records/json-document.ts";
import type { RefusalCode } from "./refusal.ts";

/** A stage of reading a source, which handles the bytes and the end of the source. */
export interface Stage {
  push(piece: Uint8Array): void;
  end(): void;
  /** The name or number of the column or field with the entries; `null` when there is none, or it is not known yet. */
  column(): string | null;
}

/** Formats whose lines may be names alone. In a file of another format, such names may be allowed. */
const OF_NAMES: ReadonlySet<FormatName> = new Set(["urls", "domains", "adblock"]);

/** The maximum number of bytes of comments before the lines that decide the format of a source. */
const MAX_COMMENT_BYTES = 2 ** 20;
const LINE_FEED = 0x0a;

const joined = (pieces: readonly Uint8Array[]) =>
  pieces.length === 1 ? pieces[0]! : concatBytes(pieces);

/**
 * Keeps the beginning of the source until its format can be recognized.
 *
 * @param named the format, if it was named.
 * @param goOn called with all bytes so far. Returns the next stage.
 */
export function recognizingStage(
  named: SourceRecognition | null,
  { column, refang }: Pick<RecognizeOptions, "column" | "refang">,
  goOn: (found: SourceRecognition, beginning: Uint8Array) => Stage,
): Stage {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  /** The index of the first line that is used to recognize the format. All lines before it are comments. */
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

  function tryToGoOn({ isWhole }: { readonly isWhole: boolean }): Stage | null {
    const kept = joined(pieces);
    pieces = [kept];
    const found = named ?? recognize(kept, isWhole);
    return found === null ? null : goOn(found, kept);
  }

  return {
    push(piece) {
      pieces.push(piece.slice());
      bytes += piece.length;
      if (bytes - from >= RECOGNITION_BYTES) tryToGoOn({ isWhole: false });
    },
    end: () => tryToGoOn({ isWhole: true })!.end(),
    column: () => null,
  };
}

/** Throws if a source that should be text begins like a file of another kind. */
function refuseBinary(start: Uint8Array): void {
  if (isListFile(start)) throw unreadable("binary", "a prefix list");
  const problem = binaryProblem(start);
  if (problem !== null) throw problem;
}

/** Reads text in the given format, line by line. */
export function lineStage(
  start: Uint8Array,
  entries: EntryMaker,
  options: ParserOptions,
  format: FormatName,
): Stage {
  refuseBinary(start);
  const lines = FORMATS.find(({ name }) => name === format)!.parser(entries, options);
  const mayBeForeign = OF_NAMES.has(format);
  const cutter = lineCutter((text, problem, hasEnd) => {
    if (problem !== null) lines.end?.();
    entries.startLine(hasEnd ? null : { text, parser: lines });
    if (problem !== null) return refuseLine(entries, problem, text);
    const line = text.trim();
    if (mayBeForeign && (line[0] === "{" || line[0] === "[")) refuseSection(line, format);
    if (line !== "" || lines.isOpen?.()) lines.line(line, text);
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      lines.end?.();
      lines.finish?.();
    },
    column: () => lines.column?.() ?? null,
  };
}

/** Throws at the head of a section, because nothing says what the names after it mean. */
function refuseSection(line: string, format: FormatName): void {
  const problem = foreignSection(line) ?? (format === "adblock" ? null : sectionOfNames(line));
  if (problem !== null) throw problem;
}

/** Refuses a line that no format can read. If lines in it end in CR, each of them is refused. */
function refuseLine(entries: EntryMaker, problem: RefusalCode, text: string): void {
  const lines =
    problem === "carriage-return" ? text.split("\r").filter((line) => line.trim() !== "") : [];
  if (lines.length === 0) entries.refuse(problem, text);
  for (const line of lines) entries.refuse(problem, line);
}

/** Keeps the text of a JSON document until it is complete, because its end may say where the entries are. */
export function documentStage(
  start: Uint8Array,
  entries: EntryMaker,
  options: ParserOptions,
  maxBytes: number,
): Stage {
  refuseBinary(start);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  let path: string | null = null;

  function checkSize(): void {
    if (bytes <= maxBytes) return;
    text = "";
    throw unreadable("list-too-large", `a JSON document of more than ${maxBytes} bytes`);
  }

  return {
    push(piece) {
      bytes += piece.length;
      checkSize();
      text += decoder.decode(piece, { stream: true });
    },
    end() {
      checkSize();
      text += decoder.decode();
      path = readJsonDocument(text, entries, options);
      text = "";
    },
    column: () => path,
  };
}

/** Keeps the bytes of a prefix list until the list is complete, because the checksum covers all of it. */
export function listStage(entries: EntryMaker, maxBytes: number): Stage {
  let pieces: Uint8Array[] = [];
  let bytes = 0;

  function checkSize(): void {
    if (bytes <= maxBytes) return;
    pieces = [];
    throw unreadable("list-too-large", `a prefix list of more than ${maxBytes} bytes`);
  }

  return {
    push(piece) {
      bytes += piece.length;
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
    column: () => null,
  };
}

/** The prefixes in the bytes of a prefix list. */
function prefixesIn(file: Uint8Array): Iterable<Uint8Array> {
  try {
    return prefixes(decodePrefixList(file));
  } catch (error) {
    throw unreadable("list-unreadable", "a prefix list that cannot be read", error);
  }
}
