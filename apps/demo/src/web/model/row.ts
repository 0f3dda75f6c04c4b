import { toHex } from "@x/sha256-prefix";
import { decodeUtf8 } from "../../text/decode-utf8.ts";

/** A hash prefix of one list that an expression of the URL has. */
export interface RowMatch {
  readonly list: string;
  readonly expression: string;
  /** In lower-case hex. */
  readonly prefix: string;
}

/** What came out of one line; plain data, to be sent from the worker to the page. */
export interface Row {
  readonly line: number;
  /** As given; where it was not UTF-8, with U+FFFD in place of what was not. */
  readonly url: string;
  /** The octets in hex when they were not UTF-8. */
  readonly octets: string | null;
  readonly canonical: string | null;
  readonly matches: readonly RowMatch[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type RowStatus = "listed" | "clear" | "error";

export function statusOf({ error, matches }: Row): RowStatus {
  if (error !== null) return "error";
  return matches.length > 0 ? "listed" : "clear";
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a line, and its octets when they are not the UTF-8 of that text. */
export function decodeLine(octets: Uint8Array): Pick<Row, "url" | "octets"> {
  const url = decodeUtf8(octets);
  if (url !== null) return { url, octets: null };
  return { url: lenient.decode(octets), octets: toHex(octets) };
}

/** One line of NDJSON for each row, with the members that `urlhash check --ndjson` writes. */
export function toNdjson(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(toRecord(row))}\n`).join("");
}

function toRecord({ line, url, octets, canonical, matches, error }: Row): object {
  const given = octets === null ? { line, url } : { line, url, octets };
  if (error !== null) return { ...given, error };
  return { ...given, canonical, listed: matches.length > 0, matches };
}

const COLUMNS = ["line", "url", "verdict", "canonical", "list", "expression", "prefix", "error"];

/** A cell that a spreadsheet would take for a formula is made text by an apostrophe. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table by RFC 4180: a line for each row, or for each match of it. */
export function toCsv(rows: readonly Row[]): string {
  const lines = [COLUMNS.join(",")];
  for (const row of rows) {
    const start = [row.line, row.url, statusOf(row), row.canonical ?? ""];
    const matches = row.matches.length > 0 ? row.matches : [null];
    for (const match of matches) {
      const found = match === null ? ["", "", ""] : [match.list, match.expression, match.prefix];
      lines.push([...start, ...found, row.error?.code ?? ""].map(cell).join(","));
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}
