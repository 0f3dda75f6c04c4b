const LONGEST_TEXT = 80;

/** The beginning of `text`, printable and on one line, in its own memory. */
export function shorten(text: string): string {
  const printable = text
    .slice(0, LONGEST_TEXT)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  // A slice would keep the whole block of lines in memory; a copy does not.
  return ` ${printable}${text.length > LONGEST_TEXT ? "…" : ""}`.slice(1);
}
