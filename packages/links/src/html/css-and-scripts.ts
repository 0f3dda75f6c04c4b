import type { FoundLink, LinkSink } from "../found-link.ts";
import { findInText } from "../text/found-in-text.ts";
import { unescapeScript } from "../text/link-end.ts";

/** A decoded reference in CSS and its place in the source. */
interface CssReference {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A pattern for a name in which any character may be escaped, as in `\75rl`. */
function named(name: string): string {
  const patterns = [...name].map((character) => {
    const code = character.charCodeAt(0).toString(16);
    const upper = character.toUpperCase().charCodeAt(0).toString(16);
    const escaped = `0{0,4}(?:${code}|${upper})(?:\\r\\n|[ \\t\\n\\f\\r])?`;
    // After a backslash, the letters a to f are hexadecimal digits.
    return `(?:${character}|\\\\(?:${escaped}${/[a-f]/.test(character) ? "" : `|${character}`}))`;
  });
  return `(?:${patterns.join("")})`;
}

/**
 * A place where a reference may start: `url(`, `src(`, `image(`, `@import "…"`, or a string in an `image-set(`, which
 * ends with the declaration. The URL of `@namespace` is only a name.
 */
const START = new RegExp(
  [
    `(?<!\\w)(?<anything>${named("url")}|${named("src")}|${named("image")})\\(\\s*`,
    `(?<string>@${named("import")})\\s*(?:\\/\\*[^*]{0,200}\\*\\/\\s*){0,20}(?=["'])`,
    `(?<set>${named("image-set")})\\(\\s*`,
    `(?<next>,)\\s*(?=["'])`,
    "[;{}]",
    `@${named("namespace")}(?!\\w)[^;{}]{0,300}`,
  ].join("|"),
  "gi",
);
const CSS_ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\n\f\r]?|\r\n|[\s\S])/gi;

/**
 * Returns the references in CSS, in order.
 *
 * @see CSS Syntax Level 3 §4.3.6
 */
export function cssReferences(css: string): CssReference[] {
  const found: CssReference[] = [];
  const starts = new RegExp(START);
  let isInSet = false;
  for (let match = starts.exec(css); match !== null; match = starts.exec(css)) {
    const { anything, string, set, next } = match.groups!;
    if (next === undefined && anything === undefined) isInSet = set !== undefined;
    let start = starts.lastIndex;
    const quote = css.charAt(start);
    let end = -1;
    if (quote === '"' || quote === "'") {
      if (anything === undefined && string === undefined && !isInSet) continue;
      start++;
      end = endOfString(css, start, quote);
    } else if (anything !== undefined) end = endOfUnquoted(css, start);
    if (end === -1) continue;
    starts.lastIndex = end;
    found.push({ value: css.slice(start, end).replace(CSS_ESCAPE, decodeEscape), start, end });
  }
  return found;
}

/** The index after the last complete statement of an unfinished style sheet; 0 if no statement is complete. */
export function endOfStatements(css: string): number {
  const marks = /["'();{}]|\/\*|\\[\s\S]/g;
  let end = 0;
  let depth = 0;
  for (let match = marks.exec(css); match !== null; match = marks.exec(css)) {
    const [mark] = match;
    if (mark === "(") depth++;
    else if (mark === ")") depth = Math.max(0, depth - 1);
    else if (mark === '"' || mark === "'") {
      marks.lastIndex = endOfString(css, marks.lastIndex, mark) + 1;
    } else if (mark === "/*") {
      const closed = css.indexOf("*/", marks.lastIndex);
      if (closed === -1) return end;
      marks.lastIndex = closed + 2;
    } else if (depth === 0 && !mark.startsWith("\\")) end = marks.lastIndex;
  }
  return end;
}

/** A line break also ends a string (CSS Syntax Level 3 §4.3.5). */
function endOfString(css: string, start: number, quote: string): number {
  const stop = /["'\n\r\f]|\\(?:\r\n|[\s\S]|$)/g;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (match[0] === quote || /^[\n\r\f]/.test(match[0])) return match.index;
  }
  return css.length;
}

/** An invalid character also ends a URL (CSS Syntax Level 3 §4.3.6). */
function endOfUnquoted(css: string, start: number): number {
  const stop = /[\s"'()]|\\(?:[0-9a-f]{1,6}[ \t\n\f\r]?|[\s\S])/gi;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (!match[0].startsWith("\\")) return match.index;
  }
  return css.length;
}

function decodeEscape(written: string, hex: string | undefined): string {
  if (hex === undefined) return /^\\[\r\n\f]/.test(written) ? "" : written.slice(1);
  const code = Number.parseInt(hex, 16);
  return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

/** A part of a script without spaces and quotation marks. */
const RUN = /[^\s"'`<>]+/g;
const SCRIPT_ESCAPE = /\\[xu]/;

/**
 * Finds the links in a script, also in strings whose letters are escaped, as in `"\x68\x74\x74\x70://evil.example"`.
 * Indices are those of the script.
 */
export function findInScript(script: string, sink: LinkSink): void {
  const known = new Set<string>();
  const add = (link: FoundLink) => {
    const url = unescapeScript(link.url);
    known.add(url);
    sink({ ...link, url });
  };
  findInText(script, 0, add, "script");
  if (!SCRIPT_ESCAPE.test(script)) return;
  for (const { 0: text, index: start } of script.matchAll(RUN)) {
    if (!SCRIPT_ESCAPE.test(text)) continue;
    findInText(
      unescapeScript(text),
      0,
      (link) => {
        if (known.has(link.url)) return;
        known.add(link.url);
        sink({ ...link, text, start, end: start + text.length });
      },
      "script",
    );
  }
}
