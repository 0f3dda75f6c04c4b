import { shorten } from "./text.ts";

/** The reasons to refuse a line, each with a description of acceptable text. */
const EXPECTED = {
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
export type RefusalCode = keyof typeof EXPECTED;

/** The code for the shape of a line that is not a URL. In a list of URLs, such a line is refused with this code. */
export type LineCode = Extract<
  RefusalCode,
  | `${string}-line`
  | "adblock-rule"
  | "html"
  | "defanged"
  | "tab-separated"
  | "comma-separated"
  | "quoted"
  | "blank"
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
  const expected = details === undefined ? EXPECTED[code] : `${EXPECTED[code]} (${details})`;
  return { line, lines, code, text: shorten(text), expected };
}
