import { ListSourceError } from "../problems.ts";
import { quoted } from "../text.ts";
import { rowReader } from "./csv-rows.ts";

/** A condition on a column: only rows with one of the values are entries. */
interface Condition {
  readonly column: string;
  readonly values: ReadonlySet<string>;
}

/** The rows that are entries: those for which all conditions hold. Without conditions, all rows are. */
export type Where = readonly Condition[];

/** Rows that a condition left out. */
export interface LeftOutRows {
  readonly column: string;
  readonly value: string;
  /** How many rows have this value. */
  readonly rows: number;
}

/**
 * Parses the option `where`: `all`, or conditions such as `verdict=malicious,phishing`. A value with a comma is in
 * quotation marks. Returns `null` for another text.
 */
export function parseWhere(where: string | readonly string[]): Where | null {
  const texts = typeof where === "string" ? [where] : where;
  if (texts.length === 1 && texts[0] === "all") return [];
  const conditions = texts.map((text) => {
    const sign = text.indexOf("=");
    const values = rowReader(",").read(text.slice(sign + 1));
    if (sign < 1 || typeof values === "string") return null;
    return { column: text.slice(0, sign), values: new Set(values) };
  });
  return conditions.length > 0 && conditions.every((each) => each !== null) ? conditions : null;
}

/**
 * Whether a value is valid for the option `where`: `"all"`, a condition such as `"verdict=malicious,phishing"`, or
 * several conditions.
 *
 * @example
 * ```ts
 * import { isWhere } from "@x/list-source";
 *
 * isWhere("verdict=malicious,phishing"); // → true
 * isWhere("malicious"); // → false
 * ```
 */
export function isWhere(value: unknown): value is string | readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.every((each) => typeof each === "string") && parseWhere(texts as string[]) !== null;
}

/*
 * A table may contain rows that must not be blocked, such as sites that were found harmless. No list of words says
 * which, so a column that can tell rows apart is shown to the publisher, who says which rows are meant. A column can if
 * one of its values occurs twice, or if the table is short, unless it is constant, or has only past dates or addresses,
 * or counts rows.
 */

/** A table with fewer rows is short. */
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
  /**
   * Whether all values are dates up to today, IP addresses or URLs; or each is one more, or one less, than the last.
   */
  areDates: boolean;
  areAddresses: boolean;
  areCounted: boolean;
  isRepeated: boolean;
  /** The number of rows with a value. */
  rows: number;
  /** The last value. */
  last: string;
  lastSeen: Seen | undefined;
}

/** Remembers the values of the columns of a table. */
interface TellingColumns {
  add(row: readonly (string | undefined)[], entry: string): void;
  /** The error for a table that has columns that can tell rows apart; `null` for other tables. */
  problem(names: readonly string[]): ListSourceError | null;
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+ ?(?:Z|UTC|[+-]\d\d:?\d\d)?)?$/;
const SECONDS = /^\d{10}$/;
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;
const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?|\[?[\da-f]*:[\da-f:.]*\]?(?::\d+|\/\d+)?|[a-z][a-z0-9+.-]*:\/\/\S+)$/i;
const DAY = 86_400_000;

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

/** @param own the index of the column with the entries, which does not tell rows apart. */
export function tellingColumns(own: number): TellingColumns {
  const columns: Column[] = [];
  // A later date may be the day on which an entry expires.
  const tomorrow = new Date(Date.now() + DAY).toISOString();
  const isPast = (value: string): boolean =>
    SECONDS.test(value)
      ? Number(value) * 1000 < Date.parse(tomorrow)
      : DATE.test(value) && value.slice(0, 10) <= tomorrow.slice(0, 10);
  let rows = 0;
  let hashes = 0;

  function add(column: Column, value: string, entry: string): void {
    const { values, last } = column;
    const seen = column.rows++ > 0 && value === last ? column.lastSeen : values.get(value);
    column.isRepeated ||= seen !== undefined || (column.rows > 1 && value === last);
    column.last = value;
    column.lastSeen = seen;
    if (seen !== undefined) {
      seen.rows++;
      return;
    }
    if (column.areDates) column.areDates = isPast(value);
    if (column.areAddresses) column.areAddresses = ADDRESS.test(value);
    if (column.areCounted && rows <= SHORT_TABLE) {
      const isNext = column.rows === 1 || Math.abs(Number(value) - Number(last)) === 1;
      column.areCounted = isNext && NUMBER.test(value);
    }
    if (values.size < MOST_VALUES) {
      column.lastSeen = { rows: 1, example: entry };
      values.set(value, column.lastSeen);
    } else if (!column.isRepeated) {
      column.others.push(hashText(value));
      if (++hashes > MOST_HASHES) column.isRepeated = true;
    }
    if (column.isRepeated) column.others = [];
  }

  /** Whether a column can tell rows apart. */
  function tells({ values, others, areDates, areAddresses, areCounted, isRepeated }: Column) {
    if (values.size < 2 || areDates || areAddresses) return false;
    // In two rows, 0 and 1 are more likely a yes and a no than a count.
    const isCount = areCounted && !(values.size === 2 && values.has("0"));
    return isRepeated || (rows < SHORT_TABLE && !isCount) || hasRepeats(others);
  }

  return {
    add(row, entry) {
      rows++;
      for (let i = 0; i < row.length; i++) {
        const value = row[i];
        if (value === undefined || i === own) continue;
        columns[i] ??= {
          values: new Map(),
          others: [],
          areDates: true,
          areAddresses: true,
          areCounted: true,
          isRepeated: false,
          rows: 0,
          last: "",
          lastSeen: undefined,
        };
        const known = value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
        add(columns[i]!, known, entry);
      }
    },
    problem(names) {
      const telling = columns.flatMap((column, i) => {
        // Records without a field have no value in its column.
        const without = rows - column.rows;
        if (without > 0) {
          column.values.set("", { rows: without, example: "" });
          column.areDates = false;
          column.areAddresses = false;
          column.areCounted = false;
          column.isRepeated ||= without > 1;
        }
        return tells(column) ? [{ name: names[i]!, values: column.values, isAfter: i > own }] : [];
      });
      return telling.length === 0 ? null : rowsUnclear(telling, rows);
    },
  };
}

/** Whether one of some hashes occurs twice. */
function hasRepeats(hashes: readonly number[]): boolean {
  const sorted = Float64Array.from(hashes).sort();
  return sorted.some((hash, i) => hash === sorted[i - 1]);
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
  const [value] = byRows(values)[0]!;
  const written = /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return new ListSourceError(
    "rows-unclear",
    `a table of ${rows.toLocaleString("en")} rows that may mean different things: ${shown.join("; ")}${more > 0 ? `; and ${more} more columns` : ""}`,
    `a condition on the rows (where), such as ${quoted(`${name}=${written}`)}, or "all"`,
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
  const others = values.size >= MOST_VALUES ? "many others" : `${more} others`;
  return `${quoted(name)} is ${shown.join(", ")}${more > 0 ? `, or one of ${others}` : ""}`;
}
