import { type CheckedUrl, VERDICT_LABELS, type Verdict, verdictOf } from "@x/explain";
import { printableJson } from "@x/explain/printable";

/** The result for one line: plain data, which the worker sends to the page. */
export type Row = { readonly line: number } & CheckedUrl;

/** The verdicts that a row can have. */
export type RowVerdict = Exclude<Verdict, "no-list">;

export const ROW_VERDICTS = ["listed", "not-listed", "not-a-url"] as const;

export function verdictOfRow(row: Row): RowVerdict {
  return verdictOf(row) as RowVerdict;
}

/** One line of NDJSON for each row, as `urlhash check --ndjson` writes it. */
export function toNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${printableJson(row)}\n`).join("");
}

const COLUMNS = ["line", "url", "verdict", "canonical", "list", "expression", "prefix", "error"];

/** A cell. An apostrophe keeps a spreadsheet from running it as a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table in the form of RFC 4180, with one line for each row, or for each match of a row. */
export function toCsv(rows: readonly Row[]): string {
  const lines = [COLUMNS.join(",")];
  for (const row of rows) {
    const [canonical, code] = "error" in row ? ["", row.error.code] : [row.canonical, ""];
    const start = [row.line, row.url, VERDICT_LABELS[verdictOf(row)], canonical];
    const matches = "error" in row || row.matches.length === 0 ? [null] : row.matches;
    for (const match of matches) {
      const found = match === null ? ["", "", ""] : [match.list, match.expression, match.prefix];
      lines.push([...start, ...found, code].map(cell).join(","));
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}
