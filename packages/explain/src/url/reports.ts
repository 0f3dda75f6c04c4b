import { counted } from "../counted.ts";
import type { Refusal } from "../input.ts";
import { printable } from "../printable.ts";
import type { Disguise } from "./disguises.ts";
import type { UrlExplanation } from "./explain-url.ts";
import type { CheckedUrl } from "./records.ts";
import { type UrlSummaryOptions, urlSummary } from "./url-summary.ts";
import { VERDICT_LABELS, verdictOf, verdictText } from "./verdict-wording.ts";

/**
 * Changes text so that nothing in it can be clicked by accident: `http` becomes `hxxp`, and dots between letters or
 * digits are put in brackets.
 */
function defang(text: string): string {
  return text
    .replace(/\b(h)tt(ps?)(?=:)/gi, "$1xx$2")
    .replace(/(?<=[\p{L}\p{N}\p{M}-])[.。．｡](?=[\p{L}\p{N}\p{M}-])/gu, "[.]");
}

/**
 * Puts at signs in brackets, so that the report notifies nobody. A backslash would not help: sites such as GitHub look
 * for `@name` in the rendered Markdown.
 */
function withoutMentions(text: string): string {
  return text.replaceAll("@", "[@]");
}

/** The options of {@link urlReport}: those of `urlSummary` and the format. */
export interface UrlReportOptions extends UrlSummaryOptions {
  /** The format of the report; `"text"` by default. */
  readonly format?: "text" | "markdown" | undefined;
}

/** Longer values are shortened to this many characters. */
const LONGEST_VALUE = 1000;

/**
 * A report on a URL for a ticket or a chat channel: the verdict, the matching entries, and the lists that the URL was
 * looked up in. All URLs in the report are defanged.
 */
export function urlReport(
  input: string,
  explained: UrlExplanation | Refusal,
  { format = "text", ...options }: UrlReportOptions = {},
): string {
  const { badge, sentence, facts, caveat } = urlSummary(input, explained, options);
  const isMarkdown = format === "markdown";
  const plain = (text: string): string => {
    const safe = withoutMentions(defang(printable(text)));
    return isMarkdown ? escapeMarkdown(safe) : safe;
  };
  const value = (text: string): string => {
    const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
    const safe = defang(printable(cut));
    return isMarkdown ? codeSpan(safe) : safe;
  };
  const rows = [`URL: ${value(input)}`];
  if (!("error" in explained)) {
    const { browser, canonical, refused, lists, matches } = explained;
    if (browser !== null) rows.push(`Browsers open: ${value(browser.opens)}`);
    if (refused === null && canonical !== input) rows.push(`Canonical: ${value(canonical)}`);
    for (const { expression, prefix, list } of matches) {
      rows.push(`Entry: ${value(expression)} (${prefix}) on ${plain(list)}`);
    }
    for (const { name, size, checksum, created } of lists) {
      const facts = `${counted(size, "prefix", "prefixes")}, of ${created.slice(0, 10)}, checksum ${checksum}`;
      rows.push(`List: ${plain(name)} (${facts})`);
    }
  }
  const notes = verdictText(explained).notes.map(plain);
  const verdict = `${badge}. ${[...facts, caveat ?? []].flat().map(plain).join(" ")}`;
  if (!isMarkdown) return [plain(sentence), verdict, ...rows, ...notes, ""].join("\n");
  const list = [...rows, ...notes].map((item) => `- ${item}`);
  return [`**${plain(sentence)}**`, "", verdict, "", ...list, ""].join("\n");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<>[\]#|~&!]/g, "\\$&");
}

/** Encloses a text in one backtick more than its longest run of backticks. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

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
  "disguises",
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
 * one row, too. The column `disguises` has the codes of the disguises of a URL.
 *
 * A spreadsheet runs cells that begin with `=`, `+`, `-` or `@` as formulas, and may treat `;`, `|`, TAB or a space as
 * the end of a cell. In all of these places, an apostrophe is added before the character, so the table is not exact.
 * For exact data, use NDJSON.
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
    const code = isRefused ? row.error.code : "";
    const matches = isRefused || row.matches.length === 0 ? [null] : row.matches;
    for (const match of matches) {
      const found =
        match === null
          ? ["", "", "", "", ""]
          : [match.list, match.expression, match.prefix, match.confirmed, match.reading];
      lines.push([...start, ...found, codes, code].map(cell).join(","));
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}
