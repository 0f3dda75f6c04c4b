import { tryParseUrl } from "@x/canon";
import type { RowVerdict } from "../row.ts";
import type { Values } from "../screens.ts";
import type { BulkCheck } from "./bulk-check.ts";
import { hostOf } from "./tally.ts";

/** The filter that decides which rows are shown. */
export type RowFilter = Pick<Values<"many">, "show" | "find" | "entry" | "host">;

export type RowOrder = Values<"many">["order"];

/** The indices of the rows that pass a filter, in order. */
export type Select = (filter: RowFilter, order: RowOrder) => Promise<readonly number[]>;

const LINES_BETWEEN_LOOKS = 256;
const SEVERITY: Readonly<Record<RowVerdict, number>> = {
  listed: 0,
  disguised: 1,
  "not-a-url": 2,
  "not-listed": 3,
};

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether a line passes a filter. */
function matcherOf(check: BulkCheck, { show, find, entry, host }: RowFilter) {
  const needle = find.toLowerCase();
  const hasNeedle = (index: number): boolean => {
    const bytes = check.bytesAt(index);
    if (decoder.decode(bytes).toLowerCase().includes(needle)) return true;
    return tryParseUrl(bytes)?.href.toLowerCase().includes(needle) === true;
  };
  const hasHit = (index: number): boolean => {
    const row = check.rowAt(index);
    if ("error" in row) return false;
    if (host !== "" && hostOf(row) !== host) return false;
    return entry === "" || row.matches.some(({ expression }) => expression === entry);
  };
  const isOfHit = entry !== "" || host !== "";
  return (index: number): boolean => {
    const verdict = check.lines.verdictAt(index);
    if (show !== "all" && verdict !== show) return false;
    if (isOfHit && (verdict !== "listed" || !hasHit(index))) return false;
    return needle === "" || hasNeedle(index);
  };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function sortRows(check: BulkCheck, rows: number[], order: RowOrder): number[] {
  const by = order.replace("-", "");
  const { lines, bytesAt } = check;
  if (by === "listed") {
    const rank = (index: number): number => (lines.verdictAt(index) === "listed" ? 0 : 1);
    rows.sort((a, b) => rank(a) - rank(b) || a - b);
  } else if (by === "verdict") {
    rows.sort((a, b) => SEVERITY[lines.verdictAt(a)] - SEVERITY[lines.verdictAt(b)] || a - b);
  } else if (by === "url") {
    rows.sort((a, b) => compareBytes(bytesAt(a), bytesAt(b)) || a - b);
  }
  return order.startsWith("-") ? rows.reverse() : rows;
}

/** The rows that pass one filter. Their number grows with the check. */
interface Selection {
  readonly key: string;
  readonly matches: (index: number) => boolean;
  /** How many lines have been filtered. */
  seen: number;
  readonly rows: number[];
  sorted: { readonly order: RowOrder; readonly rows: number[] } | null;
}

/**
 * Selects rows of a check. A second call with the same filter goes on where the first one stopped, so that the lines of
 * a running check are filtered only once.
 *
 * @param pause lets the worker handle waiting messages.
 * @param turnMs Filtering pauses about once in this many milliseconds.
 */
export function selector(check: BulkCheck, pause: () => Promise<void>, turnMs: number): Select {
  let latest: Selection | null = null;

  function selectionOf(filter: RowFilter): Selection {
    const key = JSON.stringify([filter.show, filter.find, filter.entry, filter.host]);
    if (latest?.key !== key) {
      const matches = matcherOf(check, filter);
      latest = { key, matches, seen: 0, rows: [], sorted: null };
    }
    return latest;
  }

  return async (filter, order) => {
    const selection = selectionOf(filter);
    for (let turn = performance.now(); selection.seen < check.lines.size(); ) {
      const index = selection.seen++;
      if (selection.matches(index)) selection.rows.push(index);
      if (index % LINES_BETWEEN_LOOKS === 0 && performance.now() - turn > turnMs) {
        await pause();
        turn = performance.now();
      }
    }
    const { rows, sorted } = selection;
    if (order === "line") return rows;
    if (sorted?.order !== order || sorted.rows.length !== rows.length) {
      selection.sorted = { order, rows: sortRows(check, rows.slice(), order) };
    }
    return selection.sorted!.rows;
  };
}
