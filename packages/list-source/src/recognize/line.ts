import { isDefanged } from "@x/canon/defanged";
import { hasTabInside, holdsSeveralUrls } from "@x/canon/other-text";
import type { LineShape } from "../formats/format.ts";
import { FORMATS } from "../formats/table.ts";

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
    pattern: /^\s*\(?\^.*\\\.|\\\.\S*\$\s*$/,
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
  // A blank in the path may be part of a URL.
  { code: "blank", found: "words with spaces between them", pattern: /^\s*[^\s/?#]+[^\S\t]+\S/ },
];

/** The shape of a line that is not a URL, or null when it may be a URL. */
export function recognizeLine(line: string): Pick<LineShape, "code" | "found"> | null {
  const start = line.length > LONGEST_LOOK ? line.slice(0, LONGEST_LOOK) : line;
  const shape = SHAPES.find(({ pattern }) => pattern.test(start));
  return shape === undefined ? null : { code: shape.code, found: shape.found };
}

const SECOND_URL = /[\s,;|][A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Whether a line of a list has several URLs. Unlike `holdsSeveralUrls`, the function also finds a URL after a blank or
 * a separator in a query or a fragment. One URL may have such a query, but an entry with two URLs would match nothing.
 */
export function holdsSeveralEntries(line: string): boolean {
  const first = line.indexOf("://");
  return (first >= 0 && SECOND_URL.test(line.slice(first + 1))) || holdsSeveralUrls(line);
}
