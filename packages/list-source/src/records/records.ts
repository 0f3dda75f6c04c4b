import type { Output } from "../formats/format.ts";
import { ListSourceError, type RefusalCode } from "../problems.ts";
import { quoted } from "../text.ts";
import { tellingColumns } from "./telling-columns.ts";
import type { Where } from "./where.ts";

/*
 * Tables and JSON have records. Which column or field has the entries, and which records are entries, are facts of a
 * known layout, or the publisher says them.
 */

/** Receives the records of a table or of JSON. */
export interface RecordReader {
  /**
   * Receives a record: its entry, and all its values, in the order of the columns.
   *
   * @param shown the beginning of the record, for messages.
   */
  row(entry: string, values: readonly (string | undefined)[], shown: string, lines?: number): void;
  refuse(code: RefusalCode, shown: string, lines?: number): void;
  /**
   * Ends the table.
   *
   * @throws ListSourceError `rows-unclear` when columns tell rows apart, and nobody said which rows are meant, or no row
   * has the column of a condition; `date-column-missing` when none has that of the dates.
   */
  end(): void;
}

/** The columns of a table, and the rows that are entries. */
interface RecordColumns {
  /** The names of the columns. More may be added while a table is read. */
  readonly names: readonly string[];
  /** The index of the column with the entries, if its value is among the values. */
  readonly own: number;
  /** `null` if nobody said which rows are entries. */
  readonly where: Where | null;
  /** The column with the dates of entries, by name or by number from 1. */
  readonly dateColumn: string | number | undefined;
  /** The maximum number of characters of entries that wait for the end of the table. */
  readonly maxCharacters: number;
}

const LONGEST_SHOWN = 100;

export function recordReader(
  output: Output,
  { names, own, where, dateColumn, maxCharacters }: RecordColumns,
): RecordReader {
  const telling = where === null ? tellingColumns(own) : null;
  /** What waits for the end of the table, and its lines. Usual entries are only texts, which saves memory. */
  const waiting: (string | { readonly report: () => void })[] = [];
  const numbers: number[] = [];
  let characters = 0;

  function add(text: string, code: RefusalCode | null, lines: number, date?: string) {
    const report = () =>
      code === null
        ? output.entry(text, "field", lines, undefined, date)
        : output.refuse(code, text, lines);
    if (telling === null) return report();
    waiting.push(code === null && lines === 1 && date === undefined ? text : { report });
    numbers.push(output.line());
    characters += text.length + (date?.length ?? 0);
    if (characters > maxCharacters) {
      throw new ListSourceError(
        "list-too-large",
        `a table with more than ${maxCharacters} characters of entries, whose rows may mean different things`,
        'the rows that are entries (where), or "all"',
      );
    }
  }

  let dateIndex = typeof dateColumn === "number" ? dateColumn - 1 : -1;
  function dateOf(values: readonly (string | undefined)[]): string | undefined {
    if (typeof dateColumn === "string" && dateIndex < 0) dateIndex = names.indexOf(dateColumn);
    return values[dateIndex]?.trim() || undefined;
  }

  const conditions = (where ?? []).map((condition) => ({ ...condition, index: -1 }));

  return {
    row(entry, values, shown, lines = 1) {
      for (const condition of conditions) {
        // A record may be the first to have a column.
        if (condition.index < 0) condition.index = names.indexOf(condition.column);
        const value = values[condition.index] ?? "";
        if (!condition.values.has(value)) return output.leaveOut(condition.column, value, shown);
      }
      const date = dateOf(values);
      // Dates do not say which rows are entries.
      telling?.add(
        date === undefined ? values : values.map((value, i) => (i === dateIndex ? "" : value)),
        entry,
      );
      if (entry === "") add(shown.slice(0, LONGEST_SHOWN), "field-empty", lines);
      else add(entry, null, lines, date);
    },
    refuse: (code, shown, lines = 1) => add(shown.slice(0, LONGEST_SHOWN), code, lines),
    end() {
      const missing = where?.find(({ column }) => !names.includes(column));
      if (missing !== undefined) {
        throw new ListSourceError(
          "rows-unclear",
          `a table without a column ${quoted(missing.column)}`,
          `a condition on one of its columns, such as ${names.slice(0, 10).map(quoted).join(", ")}`,
        );
      }
      if (typeof dateColumn === "string" && !names.includes(dateColumn)) {
        const known = names.slice(0, 10).map(quoted).join(", ");
        throw new ListSourceError(
          "date-column-missing",
          `a table without a column ${quoted(dateColumn)}`,
          `a column with dates, such as ${known}`,
        );
      }
      const problem = telling?.problem(names) ?? null;
      if (problem !== null) throw problem;
      const last = output.line();
      for (const [i, each] of waiting.entries()) {
        output.at(numbers[i]!);
        if (typeof each === "string") output.entry(each, "field");
        else each.report();
      }
      output.at(last);
    },
  };
}

/** A column, or a place in JSON, that may have the entries. */
export interface Candidate {
  /** The name or number of the column, or the path of the place. */
  readonly path: string;
  /** The number of its values; 0 if it is not known. */
  readonly count: number;
  /** One of the values. */
  readonly example: string;
}

const MOST_CANDIDATES = 10;
/**
 * The error for a source whose column with the entries has to be named.
 *
 * @param found what the source is.
 * @param what what to give as the column.
 */
export function columnUnknown(
  found: string,
  candidates: readonly Candidate[],
  what: string,
): ListSourceError {
  if (candidates.length === 0) {
    return new ListSourceError("column-missing", `${found} without entries`);
  }
  const shown = candidates.slice(0, MOST_CANDIDATES).map(({ path, count, example }) => {
    const values = count === 1 ? "1 value" : `${count.toLocaleString("en")} values`;
    const facts = [
      ...(count === 0 ? [] : [values]),
      ...(example === "" ? [] : [`such as ${quoted(example)}`]),
    ];
    return `${quoted(path)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  });
  const more = candidates.length - shown.length;
  const others = more > 0 ? `, and ${more.toLocaleString("en")} more` : "";
  return new ListSourceError(
    "column-missing",
    `${found}; it has ${shown.join(", ")}${others}`,
    what,
  );
}
