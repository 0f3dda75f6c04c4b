import { ADDRESS_PATTERN, BLOCKING_PATTERN } from "../formats/hosts.ts";
import type { RefusalCode } from "../refusal.ts";
import { typeError } from "../type-error.ts";

/** How many characters of a line are examined; its beginning is enough. */
const LONGEST_LOOK = 1024;

/** What a line that is not a URL looks like. These are the codes with which a list of URLs refuses such a line. */
export type LineCode = Extract<
  RefusalCode,
  | "control-character"
  | "html"
  | "json-line"
  | "adblock-rule"
  | "dnsmasq-line"
  | "rpz-line"
  | "hosts-line"
  | "defanged"
  | "tab-separated"
  | "comma-separated"
  | "hash-line"
  | "quoted"
  | "blank"
  | "several-urls"
  | "wildcard"
  | "host-character"
>;

/** What a line that is not a URL looks like. */
export interface LineRecognition {
  readonly code: LineCode;
  /** In words: `"a line of a hosts file"`. */
  readonly found: string;
}

const LOCAL = "local\\b|localhost|broadcasthost|ip6-";

/** The order matters: earlier shapes are rarer. */
const SHAPES: readonly (LineRecognition & { readonly shape: RegExp })[] = [
  {
    code: "html",
    found: "HTML",
    shape: /^\s*<(?:!doctype|!--|\?xml|\/?[a-z][^<>]*>?)|<\/[a-z]+>|<a\s/i,
  },
  { code: "json-line", found: "JSON", shape: /^\s*(?:\{\s*(?:"|\}\s*$)|\[\s*(?:["{[]|\]\s*$))/ },
  {
    code: "adblock-rule",
    found: "an Adblock filter rule",
    shape:
      /^(?:\|\|?[^\s|]|@@\S|\[adblock|\[adguard|\[ublock)|^[^#\s]*#[@?$%]{1,3}#[^#\s]|^[^#\s]+##[^#\s]|^##(?:[.*[]|#?[a-z])/i,
  },
  {
    code: "dnsmasq-line",
    found: "a dnsmasq option",
    shape: /^\s*(?:address|server|local|ipset|nftset)=\//,
  },
  {
    code: "rpz-line",
    found: "a record of a zone file",
    shape:
      /^\$(?:TTL|ORIGIN)\s|^[\w.*@-]*\s+(?:[0-9]+[smhdw]?\s+)?(?:IN\s+)?(?:SOA|NS|CNAME|TXT|A|AAAA|soa|cname)\s+\S/,
  },
  {
    code: "hosts-line",
    found: "a line of a hosts file",
    shape: new RegExp(
      `^\\s*${BLOCKING_PATTERN}\\s+[^\\s,;|/]*[A-Za-z]|^\\s*${ADDRESS_PATTERN}\\s+(?:${LOCAL}|(?=[^\\s,;|]*[A-Za-z\\u0080-\\uffff])(?=[^\\s,;|/]*\\.)[^\\s,;|/]+(?:\\s|$)|0\\.0\\.0\\.0\\s*$)`,
    ),
  },
  {
    code: "defanged",
    found: "a defanged URL",
    shape:
      /^h(?:xx|\*\*|__)p|^\s*meow:|[[({](?:\.|dot|:|:\/\/|\/|@|at)[\])}]|^[^/]*\w \(?dot\)? \w|\\\.\w/i,
  },
  { code: "tab-separated", found: "a line of a table with tabs", shape: /\S *\t\s*\S/ },
  {
    code: "comma-separated",
    found: "a line of CSV",
    shape: /^\s*"[^"]*"\s*[,;]|^[^/,;|]*[,;|]\s*"?[a-z]+:\/\//i,
  },
  {
    code: "hash-line",
    found: "a hash",
    shape:
      /^(?=[0-9]*[A-Fa-f])(?:[0-9A-Fa-f]{2}){4,32}$|^[0-9A-Za-z+/_-]{43}=?$|^(?:[0-9A-Za-z+/_-]{4})+[0-9A-Za-z+/_-]{2,3}={1,2}$/,
  },
  {
    code: "quoted",
    found: "text in quotation marks",
    shape: /^\s*["'`\u2018\u201c\u00ab]\S.*["'`\u2019\u201d\u00bb]\s*$/,
  },
  // A blank in the path may be part of a URL.
  { code: "blank", found: "words with blanks between them", shape: /^\s*[^\s/?#]+[^\S\t]+\S/ },
];

/**
 * For a line that should be a URL, returns what it looks like instead, or null when it may be a URL.
 *
 * For programs that check, hash or match one URL per line, and would otherwise answer "not listed" for a
 * line of JSON. The result is a guess from the shape of the line: show a warning, but do not skip the line.
 *
 * @throws TypeError when `line` is not a string.
 * @example
 * ```ts
 * import { recognizeLine } from "@x/list-source";
 *
 * recognizeLine("0.0.0.0 evil.example")?.found; // → "a line of a hosts file"
 * recognizeLine("https://evil.example/a,b"); // → null
 * ```
 */
export function recognizeLine(line: string): LineRecognition | null {
  if (typeof line !== "string") throw typeError("line", "a string", line);
  const start = line.length > LONGEST_LOOK ? line.slice(0, LONGEST_LOOK) : line;
  const found = SHAPES.find(({ shape }) => shape.test(start));
  return found === undefined ? null : { code: found.code, found: found.found };
}
