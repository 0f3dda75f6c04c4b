import { ListSourceError } from "../error.ts";
import { quoted } from "../text.ts";
import { formatCondition } from "./where.ts";

/*
 * A table may contain rows that must not be blocked, such as sites that were found harmless. No list of words says
 * which, so a column that can tell rows apart is shown to the publisher, who says which rows are meant.
 */

/** A table with fewer rows is short: in it, any column whose values differ can tell rows apart. */
const SHORT_TABLE = 20;
/** The maximum number of values of a column that are remembered as texts, for messages. */
const MOST_VALUES = 1000;
/** The maximum number of values of a table that are remembered as hashes. */
const MOST_HASHES = 2 ** 23;
/** Longer values are compared by their beginning. */
const LONGEST_VALUE = 200;
const MOST_SHOWN = 5;

interface Seen {
  rows: number;
  /** The entry of the first row with this value. */
  readonly example: string;
}

/** The values of a column so far. */
interface Column {
  readonly values: Map<string, Seen>;
  /** The hashes of the values that are not in `values`, if none repeats. */
  others: number[];
  /** Whether all values are dates up to today. */
  areDates: boolean;
  /** Whether all values are IP addresses, or URLs. */
  areAddresses: boolean;
  /** Whether the values are whole numbers, each one more, or one less, than the one before. */
  areCounted: boolean;
  isRepeated: boolean;
  /** The number of rows with a value. */
  rows: number;
  /** The last value. */
  last: string | null;
  lastSeen: Seen | undefined;
  lastNumber: number;
}

/** Remembers the values of the columns of a table. */
export interface TellingColumns {
  add(row: readonly (string | undefined)[], entry: string): void;
  /** The error for a table that has columns that can tell rows apart; `null` for other tables. */
  problem(names: readonly string[]): ListSourceError | null;
}

const NUMERIC_DATE =
  /^(?:(\d{4})[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](\d{4}))(?:[T ,]\s*[\d:.]+\s*(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/;
const SECONDS = /^\d{10}$/;
const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?|\[?[\da-f]*:[\da-f:.]*\]?(?::\d+|\/\d+)?|[a-z][a-z0-9+.-]*:\/\/\S+)$/i;
const DAY = 86_400_000;

/** Whether a value is a date up to today. A later one may be the day on which the entry expires. */
function isPastDate(value: string, now: Date): boolean {
  if (SECONDS.test(value)) return Number(value) * 1000 < now.getTime() + DAY;
  if (!NUMERIC_DATE.test(value)) return false;
  const year = Number(/^\d{4}/.test(value) ? value.slice(0, 4) : /\d{4}/.exec(value)![0]);
  // Most dates are from earlier years, and parsing takes long.
  if (year !== now.getUTCFullYear()) return year < now.getUTCFullYear();
  const time = Date.parse(value.replace(/\s*(?:UTC|GMT)$/, "Z"));
  return Number.isNaN(time) || time < now.getTime() + DAY;
}

/** A hash of 53 bits, from two FNV-1a hashes. */
function hashText(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return ((high ^ (high >>> 15)) & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 15)) >>> 0);
}

/** Whether one of some hashes occurs twice. */
function hasRepeats(hashes: readonly number[]): boolean {
  const sorted = Float64Array.from(hashes).sort();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) return true;
  return false;
}

/** @param own the index of the column with the entries, which does not tell rows apart. */
export function tellingColumns(own: number): TellingColumns {
  const columns: Column[] = [];
  const now = new Date();
  let rows = 0;
  let hashes = 0;

  function columnAt(index: number): Column {
    const known = columns[index];
    if (known !== undefined) return known;
    const column: Column = {
      values: new Map(),
      others: [],
      areDates: true,
      areAddresses: true,
      areCounted: true,
      isRepeated: false,
      rows: 0,
      last: null,
      lastSeen: undefined,
      lastNumber: 0,
    };
    columns[index] = column;
    return column;
  }

  function count(column: Column, value: string, entry: string): void {
    column.rows++;
    const isSame = value === column.last;
    const seen = isSame ? column.lastSeen : column.values.get(value);
    column.last = value;
    column.lastSeen = seen;
    column.isRepeated ||= isSame || seen !== undefined;
    if (seen !== undefined) {
      seen.rows++;
      return;
    }
    if (column.areDates) column.areDates = isPastDate(value, now);
    if (column.areAddresses) column.areAddresses = ADDRESS.test(value);
    if (column.areCounted && rows <= SHORT_TABLE) {
      const number = /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : Number.NaN;
      const step = Math.abs(number - column.lastNumber);
      column.areCounted = column.rows === 1 ? number >= 0 : step === 1;
      column.lastNumber = number;
    }
    if (column.values.size < MOST_VALUES) {
      column.lastSeen = { rows: 1, example: entry };
      column.values.set(value, column.lastSeen);
    } else if (
      !column.isRepeated &&
      column.others.push(hashText(value)) &&
      ++hashes > MOST_HASHES
    ) {
      column.isRepeated = true;
      column.others = [];
    }
  }

  /** Whether a column can tell rows apart. */
  function tells({ values, areDates, areAddresses, areCounted, isRepeated }: Column): boolean {
    if (values.size < 2 || areDates || areAddresses) return false;
    // In two rows, 0 and 1 are more likely a yes and a no than a count.
    const isCount = areCounted && !(values.size === 2 && values.has("0"));
    return isRepeated || (rows < SHORT_TABLE && !isCount);
  }

  return {
    add(row, entry) {
      rows++;
      for (let i = 0; i < row.length; i++) {
        const value = row[i];
        if (value === undefined || i === own) continue;
        count(
          columnAt(i),
          value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value,
          entry,
        );
      }
    },
    problem(names) {
      const telling = columns.flatMap((column, i) => {
        // Records without a field have no value in its column.
        if (column.rows < rows) {
          column.values.set("", { rows: rows - column.rows, example: "" });
          column.areDates = false;
          column.areAddresses = false;
          column.areCounted = false;
          column.isRepeated ||= rows - column.rows > 1;
        }
        column.isRepeated ||= hasRepeats(column.others);
        return tells(column) ? [{ name: names[i]!, values: column.values, isAfter: i > own }] : [];
      });
      return telling.length === 0 ? null : rowsUnclear(telling, rows);
    },
  };
}

interface Telling {
  readonly name: string;
  /** Whether the column is after that of the entries. */
  readonly isAfter: boolean;
  readonly values: ReadonlyMap<string, Seen>;
}

function rowsUnclear(columns: readonly Telling[], rows: number): ListSourceError {
  // The column with the fewest values most likely says which rows are meant, and columns after the entry's are next.
  const sorted = columns.toSorted(
    (a, b) => a.values.size - b.values.size || Number(b.isAfter) - Number(a.isAfter),
  );
  const shown = sorted.slice(0, MOST_SHOWN).map(columnText);
  const more = sorted.length - shown.length;
  const [{ name, values }] = sorted as [Telling];
  const [[value]] = byRows(values) as [[string, Seen]];
  return new ListSourceError(
    "rows-unclear",
    `a table of ${rows.toLocaleString("en")} rows that may mean different things: ${shown.join("; ")}${more > 0 ? `; and ${more} more columns` : ""}`,
    `a condition on the rows (where), such as ${quoted(formatCondition(name, value))}, or "all"`,
  );
}

const byRows = (values: ReadonlyMap<string, Seen>) =>
  [...values].sort(([, a], [, b]) => b.rows - a.rows);

/** A column with its most common values, how often each occurs, and an example. */
function columnText({ name, values }: Telling): string {
  const shown = byRows(values)
    .slice(0, MOST_SHOWN)
    .map(([value, { rows, example }]) => {
      const of = example === "" ? "" : `, such as ${quoted(example)}`;
      return `${quoted(value)} (${rows.toLocaleString("en")}${of})`;
    });
  const more = values.size - shown.length;
  const others = values.size === MOST_VALUES ? "many others" : `${more} others`;
  return `${quoted(name)} is ${shown.join(", ")}${more > 0 ? `, or one of ${others}` : ""}`;
}
