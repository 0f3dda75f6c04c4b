import type { Expression } from "@x/expressions";
import { leftOutCounter } from "./records/record-reader.ts";
import type { LeftOutRows } from "./records/where.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import { shorten } from "./shorten.ts";
import type { Warning, WarningCode } from "./warning.ts";

/** One entry of a list. */
export interface SourceEntry {
  /** The line of the entry, from 1; in a prefix list or a JSON document, the number of the prefix or value. */
  readonly line: number;
  /** The URL, host or expression as it is in the source. `null` when the source contains hashes. */
  readonly text: string | null;
  /** The expression: a host suffix and a path prefix. `null` when the source contains hashes. */
  readonly expression: Expression | null;
  /** The full hash of the expression, or the hash in the source: a full hash or a prefix of at least 4 bytes. */
  readonly hash: Uint8Array;
}

/** Callbacks for the results of reading a source. */
export interface SourceCallbacks {
  /** Called with each entry. */
  readonly onEntry: (entry: SourceEntry) => void;
  /**
   * Called with each exception (`@@`) in Adblock rules. Exceptions are not entries. Without this callback, they are
   * refused.
   */
  readonly onException?: ((exception: SourceEntry) => void) | undefined;
  /** Called for each line, name or field that was refused. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined;
  /** Called with each warning. A warning about an entry comes after the entry. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Called for each part of the source that does not stand for a URL. */
  readonly onNotApplicable?: ((part: NotApplicable) => void) | undefined;
}

/** Part of a source that does not stand for a URL, such as a cosmetic rule. The usual header of a hosts file or a zone does not count. */
export interface NotApplicable {
  /** The line, from 1; in a JSON document, the number of the value. */
  readonly line: number;
  /** The part, printable and shortened. */
  readonly text: string;
}

/** The numbers of entries and other parts found in a source. */
export interface SourceCounts {
  /** The number of lines; in a prefix list or a JSON document, of the prefixes or values. */
  readonly lines: number;
  /** The number of entries, including repetitions. */
  readonly entries: number;
  /** Lines, names and fields that should have become entries, but did not. */
  readonly refused: number;
  /** Parts of the source that do not stand for a URL, see {@link NotApplicable}. */
  readonly notApplicable: number;
  readonly warnings: number;
}

/** Counts and reports the results of reading a source. */
export interface Reporter {
  /** `lines` is the number of the current line. */
  readonly count: { -readonly [Name in keyof SourceCounts]: number };
  /** The rows that conditions left out so far, by value. */
  rowsLeftOut(): readonly LeftOutRows[];
  /** Reports an entry. Warnings about it come afterwards. */
  entry(entry: SourceEntry): void;
  warn(code: WarningCode, expression: Expression | null, coveredBy: Expression | null): void;
  /** `lines` is how many lines were refused, up to the current one. */
  refuse(code: RefusalCode, text: string, lines?: number, details?: string): void;
  notApplicable(text: string): void;
  leaveOut(column: string, value: string, text: string): void;
}

/**
 * `reportWaiting` reports the entries before the current line. To keep the reports in order, it is called before
 * anything but an entry is reported for the current line.
 */
export function reporter(
  { onEntry, onRefusal, onWarning, onNotApplicable }: SourceCallbacks,
  reportWaiting: () => void,
): Reporter {
  const count = { lines: 0, entries: 0, refused: 0, notApplicable: 0, warnings: 0 };
  /** The line of the last entry, to which warnings refer, and the text of that entry; null if the entry is a hash. */
  let entryLine = 0;
  let entryText: string | null = null;
  const rowsLeftOut = leftOutCounter();

  function notApplicable(text: string): void {
    reportWaiting();
    count.notApplicable++;
    onNotApplicable?.({ line: count.lines, text: shorten(text) });
  }

  return {
    count,
    rowsLeftOut: rowsLeftOut.rows,
    entry(entry) {
      count.entries++;
      entryLine = entry.line;
      entryText = entry.text;
      onEntry(entry);
    },
    warn(code, expression, coveredBy) {
      count.warnings++;
      if (onWarning === undefined) return;
      const text = entryText === null ? null : shorten(entryText);
      onWarning({ line: entryLine, code, text, expression, coveredBy });
    },
    refuse(code, text, lines = 1, details) {
      reportWaiting();
      count.refused += lines;
      onRefusal?.(refusal(count.lines - lines + 1, lines, code, text, details));
    },
    notApplicable,
    leaveOut(column, value, text) {
      rowsLeftOut.add(column, value);
      notApplicable(text);
    },
  };
}
