import { ListSourceError } from "../error.ts";
import type { Output } from "../formats/format.ts";
import type { RefusalCode } from "../refusal.ts";
import { quoted } from "../text.ts";
import { tellingColumns } from "./telling-columns.ts";
import type { Condition, Where } from "./where.ts";

type Values = readonly (string | undefined)[];

/** Reports the entries of a table's rows, if it is clear which rows are meant. */
export interface RecordReader {
  /**
   * Receives a row of a table, or a record of JSON.
   *
   * @param entry the text in the column of the entries.
   * @param values the values of all columns; `undefined` for a field that a record lacks.
   * @param shown the beginning of the row, for messages.
   * @param lines how many lines the row spans.
   */
  row(entry: string, values: Values, shown: string, lines?: number): void;
  refuse(code: RefusalCode, shown: string, lines?: number): void;
  /**
   * Reports the entries that had to wait for the end of the table.
   *
   * @throws ListSourceError `rows-unclear` when columns tell rows apart, and nobody said which rows are meant;
   * `column-missing` when no row has the column of a condition.
   */
  end(): void;
}

/** The columns of a table, and the rows that are entries. */
export interface RecordColumns {
  /** The names of the columns. More may be added while a table is read. */
  readonly names: readonly string[];
  /** The index of the column with the entries. */
  readonly own: number;
  /** `null` if nobody said which rows are entries. */
  readonly where: Where | null;
  /** The maximum number of characters of entries that wait for the end of the table. */
  readonly maxCharacters: number;
}

/** A refusal, or an entry that spans lines. */
interface Unusual {
  readonly lines: number;
  /** The entry, or the beginning of what is refused. */
  readonly text: string;
  readonly code: RefusalCode | null;
}

const LONGEST_SHOWN = 100;

export function recordReader(
  output: Output,
  { names, own, where, maxCharacters }: RecordColumns,
): RecordReader {
  const telling = where === null ? tellingColumns(own) : null;
  /** What waits for the end of the table, and its lines. Usual entries are only texts, which saves memory. */
  const waiting: (string | Unusual)[] = [];
  const numbers: number[] = [];
  let characters = 0;

  function report(text: string, code: RefusalCode | null, lines: number) {
    if (code === null) output.entry(text, "field", lines);
    else output.refuse(code, text, lines);
  }

  function add(text: string, code: RefusalCode | null, lines: number) {
    if (telling === null) return report(text, code, lines);
    waiting.push(code === null && lines === 1 ? text : { lines, text, code });
    numbers.push(output.line());
    characters += text.length;
    if (characters > maxCharacters) throw tooLarge(maxCharacters);
  }

  const conditions = (where ?? []).map((condition) => ({ ...condition, index: -1 }));
  /** The value of a row in the column of a condition, which a record may be the first to have. */
  function valueFor(condition: (typeof conditions)[number], values: Values): string {
    if (condition.index < 0) condition.index = names.indexOf(condition.column);
    return values[condition.index] ?? "";
  }

  return {
    row(entry, values, shown, lines = 1) {
      for (const condition of conditions) {
        const value = valueFor(condition, values);
        if (!condition.values.has(value)) return output.leaveOut(condition.column, value, shown);
      }
      telling?.add(values, entry);
      if (entry === "") add(shown.slice(0, LONGEST_SHOWN), "field-empty", lines);
      else add(entry, null, lines);
    },
    refuse: (code, shown, lines = 1) => add(shown.slice(0, LONGEST_SHOWN), code, lines),
    end() {
      const missing = where?.find(({ column }) => !names.includes(column));
      if (missing !== undefined) throw conditionMissing(missing, names);
      const problem = telling?.problem(names) ?? null;
      if (problem !== null) throw problem;
      const last = output.line();
      for (const [i, each] of waiting.entries()) {
        output.at(numbers[i]!);
        if (typeof each === "string") output.entry(each, "field");
        else report(each.text, each.code, each.lines);
      }
      output.at(last);
    },
  };
}

const MOST_SHOWN = 10;

function conditionMissing({ column }: Condition, names: readonly string[]): ListSourceError {
  const shown = names.slice(0, MOST_SHOWN).map(quoted);
  return new ListSourceError(
    "column-missing",
    `a table without a column ${quoted(column)}`,
    `a condition on one of its columns, such as ${shown.join(", ")}`,
  );
}

function tooLarge(most: number): ListSourceError {
  return new ListSourceError(
    "list-too-large",
    `a table with more than ${most} characters of entries, whose rows may mean different things`,
    'the rows that are entries (where), or "all"',
  );
}
