import { type CheckedUrl, type VerdictCode, verdictOf } from "@x/explain";
import { printableJson } from "@x/explain/printable";

/** The result for one line: plain data, which the worker sends to the page. */
export type Row = { readonly line: number } & CheckedUrl;

/** The verdicts that a row can have. */
export type RowVerdict = Exclude<VerdictCode, "no-list">;

export const ROW_VERDICTS = ["listed", "not-listed", "not-a-url"] as const;

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

export function verdictOfRow(row: Row): RowVerdict {
  return verdictOf(row) as RowVerdict;
}

/** One line of NDJSON for each row, as `urlhash check --ndjson` writes it. */
export function toNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${printableJson(row)}\n`).join("");
}
