import {
  type ListSourceError,
  type Refusal,
  readListSource,
  type SourceEntry,
  type SourceFormat,
  type SourceProblem,
  type SourceSummary,
  sourceProblem,
} from "@x/list-source";
import { isPublicSuffix, isRegistrySuffix } from "@x/list-source/public-suffixes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { createHashBatch } from "@x/sha256-prefix/batch";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Exception, Exceptions } from "./exceptions.ts";
import type { Source } from "./source.ts";

/** How far a source has been read. */
export interface ReadProgress {
  readonly source: string;
  readonly entries: number;
  /** How much of the source has been read, from 0 to 1, or `null` if its size is not known. */
  readonly share: number | null;
}

/** A remark about one line of a source. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

/** The result of reading one source. */
export interface SourceReport {
  readonly source: string;
  /** How the source was read, or `null` if it could not be read. */
  readonly summary: SourceSummary | null;
  /**
   * How many lines should have become entries but did not. `refusals` has the first few and the first of each kind.
   */
  readonly refused: number;
  readonly refusals: readonly LineNote[];
  readonly warned: number;
  readonly warnings: readonly LineNote[];
  /** Why no list should be made from the source, even without its bad lines, or `null` if a list may be made. */
  readonly problem: string | null;
}

export interface SourceOptions {
  readonly format?: SourceFormat | undefined;
  readonly column?: string | undefined;
  readonly where?: readonly string[] | undefined;
  /** The column with the dates from which the age of entries is counted. */
  readonly dateColumn?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
  readonly allowBroad?: boolean | undefined;
  /** Entries that these exceptions cover are published with a warning. */
  readonly exceptions: Exceptions;
  /**
   * Called with each entry that can be published, and its date in seconds since 1970; `null` if it has none that can be
   * read.
   */
  readonly onEntry: (entry: SourceEntry, date: number | null) => void;
  /** Called with each exception in the source. */
  readonly onException: (exception: Exception) => void;
  /** Called after each piece of the source, before the next one is read. */
  readonly beforeRead?: ((progress: ReadProgress) => Promise<void>) | undefined;
}

async function* readPieces(
  source: Source,
  entries: () => number,
  beforeRead: SourceOptions["beforeRead"],
) {
  const size = beforeRead === undefined ? null : await source.size();
  let bytes = 0;
  for await (const piece of source.pieces()) {
    yield piece;
    bytes += piece.length;
    // A file may grow while it is read.
    const share = size === null ? null : Math.min(1, bytes / size);
    await beforeRead?.({ source: source.name, entries: entries(), share });
  }
}

/** Advice to the operator about sources from which no list should be made. */
const REMEDIES: Readonly<Record<SourceProblem["code"], string>> = {
  "no-entries": "If that is right, use --set allow-empty=true.",
  "too-many-refused":
    "Correct them, or name the format of the source (--input, or format in the settings), or its column (--column, or column in the settings).",
};

/** Text that is appended to the reason why a source cannot be read, and names the option or setting to use. */
const OPTIONS: Readonly<Partial<Record<ListSourceError["code"], string>>> = {
  "column-missing": " (--column, or column in the settings)",
  "column-ambiguous": " (--column, or column in the settings)",
  "date-column-missing": " (date-column)",
  "rows-unclear": " (--where, or where in the settings)",
};

/** Text that is appended to the message of a refusal, and names the option that would allow the line. */
const ADVICE: Readonly<Partial<Record<Refusal["code"], string>>> = {
  "public-suffix": " (--set allow-broad=true accepts it)",
};

/** A column, which is a number if it looks like one. */
const columnOf = (column: string | undefined): string | number | undefined =>
  column !== undefined && /^\d+$/.test(column) ? Number(column) : column;

const FROM_NOW = "the age of the entry counts from first sight";

const expectedDate = (found: string | undefined) =>
  found === undefined
    ? "there is no date"
    : `${JSON.stringify(found.slice(0, 40))} is not a date such as 2026-11-29, or is in the future`;

/** Reads one source, and returns a report on its lines. */
export async function readSource(source: Source, options: SourceOptions): Promise<SourceReport> {
  const { format, column, where, dateColumn, allowEmpty, allowBroad, beforeRead } = options;
  const { exceptions, onEntry, onException } = options;
  let entries = 0;
  /** How many hashes are too short to be published. */
  let short = 0;
  /** How many entries are covered by exceptions. */
  let covered = 0;
  /** How many entries have no date that can be read. */
  let undated = 0;
  const refusals = firstNotes();
  const warnings = firstNotes();
  const report = (summary: SourceSummary | null, problem: string | null): SourceReport => ({
    source: source.name,
    summary,
    refused: summary === null ? 0 : summary.refused + short,
    refusals: refusals.notes,
    warned: summary === null ? 0 : summary.warnings + covered + undated,
    warnings: warnings.notes,
    problem,
  });
  let summary: SourceSummary;
  try {
    summary = await readListSource(
      readPieces(source, () => entries, beforeRead),
      {
        format,
        where,
        allowBroad,
        isPublicSuffix,
        isRegistrySuffix,
        column: columnOf(column),
        dateColumn: columnOf(dateColumn),
        hashBatch: createHashBatch({ bytes: 2 ** 13, slices: 2 ** 7 }),
        onEntry(entry) {
          const { line, expression, hash } = entry;
          if (hash.length < FULL_HASH_BYTES) {
            short++;
            const problem = `a prefix of ${hash.length} bytes can never be confirmed`;
            refusals.add("hash-prefix", line, `expected a full hash; ${problem}`);
            return;
          }
          entries++;
          const date = dateColumn === undefined ? null : readDate(entry.date ?? "", Date.now());
          if (dateColumn !== undefined && date === null) {
            undated++;
            warnings.add("date-unreadable", line, `${expectedDate(entry.date)}; ${FROM_NOW}`);
          }
          onEntry(entry, date);
          const exception = expression === null ? null : exceptions.covering(expression, source);
          if (exception === null || exceptions.has(expression!, source)) return;
          covered++;
          const which = `the exception ${exception.expression} (${exception.where})`;
          const message = `${expression} is published, although ${which} covers it`;
          warnings.add("covered-by-exception", line, message);
        },
        onException: ({ line, expression }) =>
          onException({ expression: expression!, where: `${source.name}:${line}`, source }),
        onRefusal({ line, code, text, expected }) {
          const message = `${JSON.stringify(text)} was refused: expected ${expected}${ADVICE[code] ?? ""}`;
          refusals.add(code, line, message);
        },
        onWarning: ({ line, code, message }) => warnings.add(code, line, message),
      },
    );
  } catch (error) {
    if (!hasName<ListSourceError>(error, "ListSourceError")) throw error;
    return report(null, `${error.message}${OPTIONS[error.code] ?? ""}`);
  }
  const { refused } = report(summary, null);
  const problem = sourceProblem({ entries, refused }, { allowEmpty });
  return report(summary, problem && `${problem.message} ${REMEDIES[problem.code]}`);
}

/** How many of the first refusals, and of the first warnings, are kept for each source. */
const KEPT = 10;
/**
 * How many warnings about entries as broad as a shared host, such as `web.app`, are kept: each of them may block the
 * sites of many owners.
 */
const KEPT_BROAD = 50;

/** Keeps the first refusals or warnings, and the first of each kind. */
function firstNotes() {
  const notes: LineNote[] = [];
  /** How many there are of each code so far. */
  const kinds = new Map<string, number>();
  return {
    notes,
    add(code: string, line: number, message: string): void {
      const count = kinds.get(code) ?? 0;
      const most = code === "public-suffix" ? KEPT_BROAD : 1;
      if (notes.length < KEPT || count < most) notes.push({ line, message });
      kinds.set(code, count + 1);
    },
  };
}

/*
 * The dates of entries in sources. Only forms that everybody reads in the same way are dates: 03/04/2026 is none.
 */

/** A day, and maybe a time and an offset, as in ISO 8601 and RFC 3339, with a space instead of the T, or with "UTC". */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;
/** Seconds or milliseconds since 1970, from 2001 on. */
const UNIX = /^(\d{10})(\d{3})?(?:\.\d{1,9})?$/;
/** Clocks differ, and a day without an offset may still be tomorrow elsewhere. */
const DAY = 24 * 60 * 60;

/**
 * Reads a date, in seconds since 1970. A time without an offset is in UTC. Returns `null` for text in other forms, for
 * days that do not exist, and for dates more than a day in the future.
 *
 * @param now in milliseconds since 1970.
 */
export function readDate(text: string, now: number): number | null {
  const seconds = UNIX.test(text) ? Number(UNIX.exec(text)![1]) : isoSeconds(text);
  return seconds === null || seconds < 1 || seconds > now / 1000 + DAY ? null : seconds;
}

function isoSeconds(text: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found
    .slice(1, 7)
    .map((each) => Number(each ?? 0));
  const time = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  const isRight =
    new Date(time).toISOString().slice(0, 10) === text.slice(0, 10) &&
    hour! < 24 &&
    minute! < 60 &&
    second! <= 60;
  return isRight ? time / 1000 - offsetSeconds(found[7] ?? "Z") : null;
}

function offsetSeconds(offset: string): number {
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(offset);
  if (found === null) return 0;
  const [, sign, hours, minutes] = found;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
