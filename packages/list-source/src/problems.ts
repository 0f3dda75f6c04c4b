import type { Expression } from "@x/expressions";
import { quoted, shareOfLines, shorten } from "./text.ts";

/*
 * All that may be wrong with a source, with a sentence for each: the source is not a list, a line in it is not an
 * entry, an entry may not be what its publisher meant, or too little of the source could be read.
 */

/** The reasons why a source cannot be read at all, each with what is expected if that is always the same. */
const SOURCES = {
  "utf-16": "text in UTF-8 (convert it first, for example with iconv)",
  compressed: "text (unpack it first)",
  document: "text",
  binary: "text in UTF-8",
  html: "a list, not a page",
  "json-document": "a whole document",
  "foreign-format": "a list that only says what is blocked",
  "carriage-returns": "lines that end in LF or CRLF (convert them first)",
  "difference-file": "a list (apply the difference to its list first)",
  "list-unreadable": "a complete, undamaged list of a supported version",
  "list-too-large": "a smaller list, or a higher limit",
  "format-unknown": "the URLs themselves",
  "hash-unclear": "URLs or hosts",
  "column-missing": "URLs or hosts in a column, or as values",
  "column-ambiguous": "the name of one of them",
  "date-column-missing": "a column with dates",
  "rows-unclear": 'a condition on the rows, or "all"',
};

/** The reasons why a source cannot be read at all. The README explains each code. */
export type ListSourceErrorCode = keyof typeof SOURCES;

/** The `found` of a `ListSourceError` for a source of defanged URLs, which can be read with the option `refang`. */
export const DEFANGED_URLS: string = "defanged URLs";

/**
 * The error thrown for a source that cannot be read at all. A single bad line is refused instead.
 *
 * Compare `code`, not the class.
 *
 * @example
 * ```ts
 * import { readListSource } from "@x/list-source";
 *
 * const page = new TextEncoder().encode("<!doctype html><title>Not found</title>");
 * const reading = readListSource([page], { onEntry: () => {} });
 * (await reading.catch((error) => error)).code; // → "html"
 * ```
 */
export class ListSourceError extends Error {
  override readonly name = "ListSourceError";
  /** The reason for the error, for programs to compare. */
  readonly code: ListSourceErrorCode;
  /** What the source looks like, in words. */
  readonly found: string;
  /** What was expected, in words. */
  readonly expected: string;

  constructor(
    code: ListSourceErrorCode,
    found: string,
    expected: string = SOURCES[code],
    cause?: unknown,
  ) {
    super(`This looks like ${found}: expected ${expected}.`, cause === undefined ? {} : { cause });
    this.code = code;
    this.found = found;
    this.expected = expected;
  }
}

/** The reasons to refuse a line, each with a description of acceptable text. */
const LINES = {
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
  space: "no spaces (write %20 in a path or query)",
  "character-excluded": 'no quotation marks, "<" or ">" (percent-encode them in a path or query)',
  backslash: 'no backslash (write "/", or %5C if a backslash is meant)',
  "email-address": "a URL or host, not an email address",
  "several-urls": "one URL per line or field",
  "readings-differ": "a URL that browsers and the specification read alike",
  "scheme-doubled": "one scheme",
  "host-expected": "a host alone, without scheme, port, path or query",
  "host-character": 'a host of letters, digits, "-", "_" and dots, or an IPv6 address in brackets',
  "host-impossible": "a host that can exist in the DNS",
  "host-cut": 'the whole URL (its host ends in "...", so it was cut short)',
  "host-undecided": "a host without characters that Unicode does not define yet",
  "host-too-long": "a host of at most 253 characters, with labels of at most 63",
  "host-single-label":
    'a host with a dot (write "http://intranet/" for a host of one label, or name the column if this is its header)',
  "public-suffix": 'a host below a suffix such as "com" or "co.uk", as in "evil.co.uk"',
  "host-number":
    "an IPv4 address as four decimal numbers, or a name whose last label is not a number",
  "ip-range": "single addresses, not ranges",
  wildcard: 'no wildcards (an entry that ends in "/" covers what is below it)',
  // Rules and records
  exception: "entries only; a list cannot contain exceptions",
  "address-not-blocking": "a blocking address: 0.0.0.0, 127.0.0.1, :: or ::1",
  "field-empty": "a value in the named field",
  // Hosts files
  "hosts-line": 'a URL or host; name the format "hosts" to read hosts files',
  "address-missing": 'an address and names, as in "0.0.0.0 evil.example"',
  "name-missing": "a name after the address",
  // dnsmasq options
  "dnsmasq-line": 'a URL or host; name the format "dnsmasq" to read dnsmasq options',
  // Options of unbound
  "unbound-line": 'a URL or host; name the format "unbound" to read options of unbound',
  // Response policy zones
  "rpz-line": 'a URL or host; name the format "rpz" to read zone files',
  redirect: 'a blocking action: "CNAME .", "CNAME *." or "CNAME rpz-drop."',
  "name-absolute": "names relative to the zone, or an $ORIGIN or SOA record that names it",
  "record-unknown": "a CNAME, A or AAAA record, $ORIGIN or $TTL",
  "record-unclosed": "the numbers of the SOA record and a closing parenthesis",
  // Adblock filter rules
  "adblock-rule": 'a URL or host; name the format "adblock" to read filter rules',
  "regular-expression": "no regular expressions",
  pattern:
    'a rule for one host or URL, with an end mark, as in "||evil.example^" or "|https://evil.example/x|"',
  "option-unknown":
    'known options of a rule or, of resolvers, "address", "server", "local", "local-zone" and "local-data"',
  directive: "the rules themselves, for every client",
  // Tables
  "column-count": "as many fields as the header or the first row has, including the column",
  "quote-unclosed": "a closing quotation mark within 64 KiB",
  "quote-stray": "a delimiter after the closing quotation mark",
  "row-commented":
    'a comment that is not a row, or quotation marks around a field that begins with "#"',
  "rows-quoted": "a closing quotation mark before the next row",
  // JSON lines
  "json-line": 'a URL or host; name the format "json-lines" and a field to read JSON',
  "json-invalid": "one JSON object per line",
  "field-missing": "a record with the named field",
  "field-repeated": "a record with each field once",
  // JSON documents
  "stix-pattern":
    "a STIX pattern of URLs or names, with OR between them, as in \"[url:value = 'http://evil.example/']\"",
  // Hashes
  "hash-line": 'a URL or host; name the format "hex" to read hashes',
  "hash-invalid": "only a full hash or hash prefix, in the format that was named or recognized",
  "hash-length": "a full hash of 32 bytes or a hash prefix of 4 to 31 bytes",
} as const;

/** Why a line, or one name or field in it, was refused. */
export type RefusalCode = keyof typeof LINES;

/** The code for the shape of a line that is not a URL. In a list of URLs, such a line is refused with this code. */
export type LineCode = Extract<
  RefusalCode,
  | `${string}-line`
  | "adblock-rule"
  | "regular-expression"
  | "html"
  | "defanged"
  | "tab-separated"
  | "comma-separated"
  | "quoted"
  | "space"
>;

/** A line, or part of a line, that should have become an entry, but did not. */
export interface Refusal {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  /** How many lines were refused: more than 1 only for a CSV row or an SOA record that spans lines. */
  readonly lines: number;
  readonly code: RefusalCode;
  /** What was refused, printable and shortened. */
  readonly text: string;
  /** What would be accepted, in words. */
  readonly expected: string;
}

export function refusal(
  line: number,
  lines: number,
  code: RefusalCode,
  text: string,
  details?: string,
): Refusal {
  const expected = details === undefined ? LINES[code] : `${LINES[code]} (${details})`;
  return { line, lines, code, text: shorten(text), expected };
}

/** The meaning of each warning, in words that follow the entry. */
const WARNINGS = {
  "public-suffix": "covers a public suffix, and so the sites of many owners",
  "covers-nothing-below": "is too deep to cover anything below it",
  "user-dropped": "covers the site for every user",
  "port-dropped": "covers the site on every port",
  "fragment-dropped": "covers the page with every fragment",
  "fragment-of-site": "covers the whole site, because entries have no fragment",
  "path-collapsed": 'is shorter than the URL in the source, because ".." removes a folder',
  "url-cut": "was probably cut short",
  "top-level-domain-unknown":
    "has no known top-level domain: the host may be misspelt or cut short",
  "local-address": "is on each reader's own machine or network, such as a router",
  "rule-narrowed": "covers only this path, not every URL that starts with it",
  "copied-character": "ends in a character that was probably copied by mistake",
  "invalid-idn": "has an invalid xn-- label, so only Chromium opens it",
  "other-hash": "is as long as an MD5 or SHA-1 hash: if it is one, it matches nothing",
  "header-skipped": "is the header of the list, not an entry",
  "line-end-missing":
    "is on the last line, which has no line end: the file may have been cut short",
} as const;

/** The codes of warnings. The README explains each code. */
export type WarningCode = keyof typeof WARNINGS;

/** A warning about something in a source that its publisher may not have intended. */
export interface Warning {
  /** The line, from 1. */
  readonly line: number;
  readonly code: WarningCode;
  /** The text in the source, printable and shortened; `null` when the source contains hashes. */
  readonly text: string | null;
  /** The entry; `null` when the source contains hashes, and for the header of a list. */
  readonly expression: Expression | null;
  /** The warning in words: `"evil.example/ covers the site on every port"`. */
  readonly message: string;
}

/** Warnings that say little without the text of the entry. */
const QUOTING: ReadonlySet<WarningCode> = new Set([
  "fragment-of-site",
  "path-collapsed",
  "url-cut",
]);

export function warning(
  code: WarningCode,
  { line, text, expression }: Pick<Warning, "line" | "text" | "expression">,
): Warning {
  const quote = QUOTING.has(code) ? `: ${quoted(text!)}` : "";
  const subject = expression ?? (text === null ? "the hash" : quoted(text));
  const message = `${subject} ${WARNINGS[code]}${quote}`;
  return { line, code, text: text && shorten(text), expression, message };
}

/** Why no list should be made from a source. */
export interface SourceProblem {
  readonly code: "no-entries" | "too-many-refused";
  /** The reason in one sentence. */
  readonly message: string;
}

export interface SourceProblemOptions {
  /** The maximum accepted share of refused lines, 0 to 1; 0.1 by default. */
  readonly maxRefusedShare?: number | undefined;
  /** Whether to accept a source without entries. */
  readonly allowEmpty?: boolean | undefined;
}

/** The default maximum share of refused lines among those that should have become entries. */
const MAX_REFUSED_SHARE = 0.1;

/**
 * Returns why no list should be made from a source, or `null`. The reason is that it has no entries, or that too many
 * of the lines that should have become entries were refused: by default, more than a tenth. Such a source was most
 * likely read in the wrong format.
 *
 * Parts that do not stand for a URL are not counted.
 *
 * @throws RangeError when `maxRefusedShare` is not a number from 0 to 1.
 * @example
 * ```ts
 * import { listSourceReader, sourceProblem } from "@x/list-source";
 *
 * const reader = listSourceReader({ format: "hosts", onEntry: () => {} });
 * reader.push(new TextEncoder().encode("0.0.0.0 evil.example\nbad.example\n"));
 * sourceProblem(reader.end())?.code; // → "too-many-refused"
 * ```
 */
export function sourceProblem(
  summary: { readonly entries: number; readonly refused: number },
  options: SourceProblemOptions = {},
): SourceProblem | null {
  const { maxRefusedShare = MAX_REFUSED_SHARE, allowEmpty = false } = options;
  if (!(maxRefusedShare >= 0 && maxRefusedShare <= 1)) {
    throw new RangeError(`maxRefusedShare must be a number from 0 to 1, not ${maxRefusedShare}`);
  }
  const { entries, refused } = summary;
  const applicable = entries + refused;
  if (refused > maxRefusedShare * applicable) {
    return {
      code: "too-many-refused",
      message: `${shareOfLines(refused, applicable)} ${refused === 1 ? "was" : "were"} refused; at most ${+(100 * maxRefusedShare).toFixed(2)}% may be.`,
    };
  }
  if (entries > 0 || allowEmpty) return null;
  return { code: "no-entries", message: "The source has no entries." };
}
