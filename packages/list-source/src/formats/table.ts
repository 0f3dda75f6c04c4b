import { isDefanged } from "@x/canon/defanged";
import { hasTabInside, holdsSeveralUrls } from "@x/canon/other-text";
import { typeError } from "@x/sha256-prefix/type-error";
import { csv } from "../records/csv.ts";
import { jsonLines } from "../records/json.ts";
import { adblock } from "./adblock.ts";
import { dnsmasq } from "./dnsmasq.ts";
import type { FormatName, LineShape, ListFormat } from "./format.ts";
import { hosts } from "./hosts.ts";
import { domains, hex, urls } from "./plain.ts";
import { rpz } from "./rpz.ts";
import { unbound } from "./unbound.ts";

/** All text formats. If a line has the shape of several formats, the last of them counts. */
export const FORMATS: readonly ListFormat[] = [
  ...[urls, domains, hosts, dnsmasq, unbound, rpz, adblock, csv, jsonLines, hex],
];

/** A format that can be read. */
export type SourceFormat = FormatName | "json" | "prefix-list";

const TITLES = Object.fromEntries([
  ...FORMATS.map(({ name, title }) => [name, title]),
  ["json", "one JSON document"],
  ["prefix-list", "a prefix list"],
]) as Readonly<Record<SourceFormat, string>>;

/** The names of all formats. */
export const SOURCE_FORMATS: readonly SourceFormat[] = Object.keys(TITLES) as SourceFormat[];

/** The format of a source, and the evidence for it. */
export interface SourceRecognition {
  readonly format: SourceFormat;
  /** The format in words: `"a hosts file"`. */
  readonly found: string;
  /** The evidence for the format: `"38 of 40 lines"`. */
  readonly evidence: string;
}

export function recognition(format: SourceFormat, evidence: string): SourceRecognition {
  return { format, found: TITLES[format], evidence };
}

/** A format that the caller named. */
export function namedFormat(format: SourceFormat): SourceRecognition {
  if (!Object.hasOwn(TITLES, format)) {
    throw typeError("format", `one of ${SOURCE_FORMATS.join(", ")}`, format);
  }
  return recognition(format, "the format was given");
}

/** The maximum number of characters of a line that are examined; the beginning is enough. */
const LONGEST_LOOK = 1024;

/** The shapes of lines. If a line has several shapes, the first one counts. */
const SHAPES: readonly LineShape[] = [
  {
    code: "html",
    found: "HTML",
    pattern: /^\s*<(?:!doctype|!--|\?xml|\/?[a-z][^<>]*>?)|<\/[a-z]+>|<a\s/i,
  },
  ...FORMATS.toReversed().flatMap(({ shape }) => shape ?? []),
  {
    code: "regular-expression",
    found: "a regular expression",
    pattern: /^(?!.*:\/\/)\s*\(?\^.*\\\.|^(?!.*:\/\/)[^$]*\\\.[^\s\\$]*\$\s*$/,
  },
  {
    code: "defanged",
    found: "a defanged URL",
    pattern: { test: isDefanged },
  },
  { code: "tab-separated", found: "a line of a table with tabs", pattern: { test: hasTabInside } },
  {
    code: "comma-separated",
    found: "a line of CSV",
    pattern: /^\s*"[^"]*"\s*[,;]|^[^/,;|]*[,;|]\s*"?[a-z]+:\/\//i,
  },
  {
    code: "quoted",
    found: "text in quotation marks",
    pattern: /^\s*["'`\u2018\u201c\u00ab]\S.*["'`\u2019\u201d\u00bb]\s*$/,
  },
  // A space in the path may be part of a URL.
  { code: "space", found: "words with spaces between them", pattern: /^\s*[^\s/?#]+[^\S\t]+\S/ },
];

/** The shape of a line that is not a URL, or null when it may be a URL. */
export function recognizeLine(line: string): Pick<LineShape, "code" | "found"> | null {
  const start = line.length > LONGEST_LOOK ? line.slice(0, LONGEST_LOOK) : line;
  const shape = SHAPES.find(({ pattern }) => pattern.test(start));
  return shape === undefined ? null : { code: shape.code, found: shape.found };
}

const SECOND_URL = /[\s,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Whether a line of a list has several URLs. Unlike `holdsSeveralUrls`, the function also finds a URL after a space or
 * a separator in a query or a fragment. One URL may have such a query, but an entry with two URLs would match nothing.
 */
export function holdsSeveralEntries(line: string): boolean {
  const first = line.indexOf("://");
  return (first >= 0 && SECOND_URL.test(line.slice(first + 1))) || holdsSeveralUrls(line);
}
