import { FORMATS, type FormatRefusalCode } from "./formats/table.ts";
import { shorten } from "./shorten.ts";

/** The reasons to refuse a line that several formats share, each with what would be accepted instead. */
const SHARED = {
  // Any format
  "line-too-long": "a line of at most 2 MiB",
  "not-utf-8": "UTF-8 text",
  "carriage-return": "lines that end in LF or CRLF",
  "control-character": "text without control characters",
  "line-cut":
    "a line end (the last line has none, and is shorter than others: it was probably cut short)",
  // What a line looks like instead
  "tab-separated": 'one URL or host per line; name the format "csv" and a column to read tables',
  "comma-separated": 'one URL or host per line; name the format "csv" and a column to read tables',
  html: "a URL or host, without HTML",
  defanged: 'the URL itself, as in "http://evil.example/" (not "hxxp" or "[.]")',
  quoted: "a URL or host without quotation marks around it",
  // A URL or a host
  "not-a-url": 'a URL, a host or an expression, as in "evil.example/path"',
  blank: "no blanks (write %20 in a path or query)",
  "character-excluded": 'no quotation marks, "<" or ">" (percent-encode them in a path or query)',
  backslash: 'no backslash (write "/", or %5C if a backslash is meant)',
  "email-address": "a URL or host, not an email address",
  "several-urls": "one URL per line or field",
  "scheme-doubled": "one scheme",
  "host-expected": "a host alone, without scheme, port, path or query",
  "host-character": 'a host of letters, digits, "-", "_" and dots, or an IPv6 address in brackets',
  "host-undecided": "a host without characters that Unicode does not define yet",
  "host-too-long": "a host of at most 253 characters, with labels of at most 63",
  "host-single-label": 'a host with a dot (write "http://intranet/" for a host of one label)',
  "top-level-domain": 'a host below a top-level domain, as in "evil.example"',
  "host-number":
    "an IPv4 address as four decimal numbers, or a name whose last label is not a number",
  "ip-range": "single addresses, not ranges",
  wildcard: 'no wildcards (an entry that ends in "/" covers what is below it)',
  // Rules and records
  exception: "entries only; a list cannot contain exceptions",
  "address-not-blocking": "a blocking address: 0.0.0.0, 127.0.0.1, :: or ::1",
  "field-empty": "a value in the named field",
} as const;

/** Why a line, or one name or field in it, was refused. */
export type RefusalCode = keyof typeof SHARED | FormatRefusalCode;

const EXPECTED: Readonly<Record<RefusalCode, string>> = Object.assign(
  {},
  SHARED,
  ...FORMATS.map(({ refusals }) => refusals),
);

/** A line, or part of a line, that should have become an entry, but did not. */
export interface Refusal {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  /** How many lines were refused: more than 1 only for quoted CSV fields that span lines. */
  readonly lines: number;
  readonly code: RefusalCode;
  /** What was refused, printable and shortened. */
  readonly text: string;
  /** What would be accepted, in words. */
  readonly expected: string;
}

export function refusal(line: number, lines: number, code: RefusalCode, text: string): Refusal {
  return { line, lines, code, text: shorten(text), expected: EXPECTED[code] };
}
