import { isDefanged } from "@x/canon/defanged";
import { hasTabInside, holdsSeveralUrls } from "@x/canon/other-text";
import { typeError } from "@x/sha256-prefix/type-error";
import type { LineShape } from "../formats/format.ts";
import { FORMATS } from "../formats/table.ts";
import type { LineCode } from "../refusal.ts";

/** The maximum number of characters of a line that are examined; the beginning is enough. */
const LONGEST_LOOK = 1024;

/** The shape of a line that is not a URL. */
export interface LineRecognition {
  readonly code: LineCode;
  /** The description of the line: `"a line of a hosts file"`. */
  readonly found: string;
}

/** The shapes of lines. If a line has several shapes, the first one counts. */
const SHAPES: readonly LineShape[] = [
  {
    code: "html",
    found: "HTML",
    pattern: /^\s*<(?:!doctype|!--|\?xml|\/?[a-z][^<>]*>?)|<\/[a-z]+>|<a\s/i,
  },
  ...FORMATS.toReversed().flatMap(({ shape }) => shape ?? []),
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

/**
 * For a line that should be a URL, returns what it looks like instead, or null when it may be a URL.
 *
 * This function is for programs that check, hash or match one URL per line, and would otherwise answer "not listed" for
 * a line of JSON. The result is a guess from the shape of the line: show a warning, but do not skip the line.
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
  const found = SHAPES.find(({ pattern }) => pattern.test(start));
  return found === undefined ? null : { code: found.code, found: found.found };
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
