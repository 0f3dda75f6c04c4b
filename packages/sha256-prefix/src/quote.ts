const LONGEST_QUOTE = 60;

/** Quotes the input or, if it is long, the part around `index`, in printable characters on one line. */
export function quote(input: string, index: number): string {
  const start = Math.max(0, Math.min(index - LONGEST_QUOTE / 2, input.length - LONGEST_QUOTE));
  const end = start + LONGEST_QUOTE;
  const printable = input
    .slice(start, end)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  return `"${start > 0 ? "…" : ""}${printable}${end < input.length ? "…" : ""}"`;
}
