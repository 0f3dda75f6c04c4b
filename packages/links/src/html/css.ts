/** A reference in CSS: what it says, and where it is. */
export interface CssReference {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Where a reference may start: `url(`, `src(`, `@import "…"`, and the strings of an `image-set(`, which ends with the
 * declaration. What `@namespace` says is only a name.
 */
const START =
  /\b(?<anything>url|src|image)\(\s*|(?<string>@import)\s*(?:\/\*[^*]{0,200}\*\/\s*){0,20}(?=["'])|(?<set>image-set)\(\s*|(?<next>,)\s*(?=["'])|[;{}]|@namespace\b[^;{}]{0,300}/gi;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\n\f\r]?|\r\n|[\s\S])/gi;

/**
 * Returns the references in CSS, in order.
 *
 * @see CSS Syntax Level 3 §4.3.6
 */
export function cssReferences(css: string): CssReference[] {
  const found: CssReference[] = [];
  const starts = new RegExp(START);
  // A quotation mark that is not found once is not searched for again.
  const closed = { '"': true, "'": true };
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
      if (closed[quote]) end = endOfString(css, start, quote);
      closed[quote] &&= end !== -1;
    } else if (anything !== undefined) end = endOfUnquoted(css, start);
    if (end === -1) continue;
    starts.lastIndex = end;
    found.push({ value: css.slice(start, end).replace(ESCAPE, decodeEscape), start, end });
  }
  return found;
}

/** CSS whose escapes are decoded, for names such as `\75rl(`. */
export function unescapeCss(css: string): string {
  return css.replace(ESCAPE, decodeEscape);
}

function endOfString(css: string, start: number, quote: string): number {
  let end = css.indexOf(quote, start);
  while (end > start && css[end - 1] === "\\") end = css.indexOf(quote, end + 1);
  return end;
}

/** @see CSS Syntax Level 3 §4.3.6; what is not valid ends the URL, too. */
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
