import { type CheckedUrl, type Disguise, VERDICT_LABELS, verdictOf } from "@x/explain";
import { printableJson } from "@x/explain/printable";

/** The record of an input. `disguises` says how a URL that is on no list is built to mislead people. */
export type JudgedUrl = CheckedUrl & { readonly disguises?: readonly Disguise[] };

/** The result for one line: plain data, which the worker sends to the page. */
export type Row = { readonly line: number } & JudgedUrl;

export const ROW_VERDICTS = ["listed", "disguised", "not-listed", "not-a-url"] as const;

/** The verdicts on a line, or on a link in a text. */
export type RowVerdict = (typeof ROW_VERDICTS)[number];

/** The verdicts in words. */
export const ROW_LABELS: Readonly<Record<RowVerdict, string>> = {
  ...VERDICT_LABELS,
  disguised: "disguised",
};

/** The ways to sort rows. By default, listed rows come before all others. `-` reverses an order. */
export const ROW_ORDERS = [
  "listed",
  "line",
  "-line",
  "verdict",
  "-verdict",
  "url",
  "-url",
] as const;

export function verdictOfRow(row: JudgedUrl): RowVerdict {
  return row.disguises === undefined ? (verdictOf(row) as RowVerdict) : "disguised";
}

/** One line of NDJSON for each row, as `urlhash check --ndjson` writes it. */
export function toNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${printableJson(row)}\n`).join("");
}
