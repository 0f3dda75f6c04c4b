const SPACE = 0x20;
const TAB = 0x09;

const LONGEST_TEXT = 80;

/** The beginning of `text`, printable and on one line, in its own memory. */
export function shorten(text: string): string {
  const printable = text
    .slice(0, LONGEST_TEXT)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  // A slice would keep the whole block of lines in memory; a copy does not.
  return ` ${printable}${text.length > LONGEST_TEXT ? "…" : ""}`.slice(1);
}

/** A text as messages quote it. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

/**
 * A number of lines among all lines, for people: both the evidence for a format and the reason for a refusal say it.
 */
export function shareOfLines(count: number, total: number): string {
  return `${count.toLocaleString("en")} of ${total.toLocaleString("en")} ${total === 1 ? "line" : "lines"}`;
}

/** The words of a text, as a set. */
export function setOf(text: string): ReadonlySet<string> {
  return new Set(words(text));
}

/**
 * The parts of `text` between spaces and tabs. This function is many times faster than splitting with a regular
 * expression.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== SPACE && code !== TAB) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      found.push(text.slice(start, i));
      start = -1;
    }
  }
  if (start >= 0) found.push(text.slice(start));
  return found;
}
