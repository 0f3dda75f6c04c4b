/** Whether a line is a comment in lists of URLs and of domains. */
export function isComment(line: string): boolean {
  const first = line[0];
  return first === "#" || first === "!" || first === ";";
}

/** A text without the comment after it. */
export function withoutComment(text: string): string {
  // Most lines have no comment, and searching for the sign alone is faster.
  if (!text.includes("#")) return text;
  const start = text.search(/\s#/);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

/** A domain without the `*.` or dot before it: an entry covers the hosts below it anyway. */
export function withoutLeadingWildcard(text: string): string {
  if (text.startsWith("*.")) return text.slice(2);
  return text.startsWith(".") ? text.slice(1) : text;
}
