import type { CheckedUrl } from "./checked-url.ts";
import type { Disguise } from "./disguises.ts";
import { VERDICT_LABELS, verdictOf } from "./verdict-wording.ts";

/** A checked URL with its line number. `disguises` says how a URL that is on no list is built to mislead people. */
type CsvRow = { readonly line: number; readonly disguises?: readonly Disguise[] } & CheckedUrl;

const COLUMNS = [
  "line",
  "url",
  "verdict",
  "canonical",
  "browser",
  "list",
  "expression",
  "prefix",
  "confirmed",
  "reading",
  "error",
];

/**
 * Where a spreadsheet could find a formula: at the start of a cell, or after a character that it may treat as the end
 * of a cell. `=`, `+`, `-` and `@` may be full-width, and quotation marks may precede them.
 */
const FORMULA = /(^|[;|\s])(["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const LEADING_CONTROL = /^[\t\r\n]/;
/** Matches a cell that needs no quotation marks. */
const PLAIN_CELL = /^[\w.:/?=@&%#~!$*()+ -]*$/;

/** Formats a cell. An apostrophe keeps a spreadsheet from running it as a formula. */
function cell(value: string | number | boolean): string {
  const text = String(value);
  const harmless = text.replace(FORMULA, "$1'$2").replace(LEADING_CONTROL, "'$&");
  const isPlain = PLAIN_CELL.test(harmless) && harmless === harmless.trim();
  return isPlain ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}

/**
 * Formats checked URLs as a CSV table (RFC 4180) with a header and one row for each match. A URL without matches has
 * one row, too. The column `error` of a disguised URL has the codes of its disguises.
 *
 * A spreadsheet runs cells that begin with `=`, `+`, `-` or `@` as formulas, and may treat `;`, `|`, TAB or a space as
 * the end of a cell. In all of these places, an apostrophe is added before the character, so the table is not exact.
 * For exact data, use NDJSON.
 *
 * @example
 * ```ts
 * import { toCsv } from "@x/explain";
 *
 * const row = { line: 1, url: "=1+1", canonical: "http://=1+1/", listed: false, matches: [] };
 * toCsv([row]).split("\r\n")[1]; // → `1,"'=1+1",not listed,http://=1+1/,,,,,,,`
 * ```
 */
export function toCsv(rows: Iterable<CsvRow>): string {
  const lines = [COLUMNS.join(",")];
  for (const row of rows) {
    const isRefused = "error" in row;
    const [canonical, browser] = isRefused ? ["", ""] : [row.canonical ?? "", row.browser ?? ""];
    const { disguises } = row;
    const verdict = disguises === undefined ? VERDICT_LABELS[verdictOf(row)] : "disguised";
    const start = [row.line, row.url, verdict, canonical, browser];
    const codes = disguises?.map(({ code }) => code).join(" ") ?? "";
    const code = isRefused ? row.error.code : codes;
    const matches = isRefused || row.matches.length === 0 ? [null] : row.matches;
    for (const match of matches) {
      const found =
        match === null
          ? ["", "", "", "", ""]
          : [match.list, match.expression, match.prefix, match.confirmed, match.reading];
      lines.push([...start, ...found, code].map(cell).join(","));
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}
