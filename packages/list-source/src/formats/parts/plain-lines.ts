/** Whether a line is a comment in a list of URLs, domains or hashes. */
export function isComment(line: string): boolean {
  const first = line[0];
  return first === "#" || first === "!" || first === ";";
}

/** Removes a comment at the end of a line. */
export function withoutComment(text: string): string {
  // Most lines have no comment, and searching for `#` alone is faster.
  if (!text.includes("#")) return text;
  const start = text.search(/\s#/);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

/** Removes the `*.` or dot before a domain: an entry covers the hosts below it anyway. */
export function withoutLeadingWildcard(text: string): string {
  if (text.startsWith("*.")) return text.slice(2);
  return text.startsWith(".") ? text.slice(1) : text;
}
