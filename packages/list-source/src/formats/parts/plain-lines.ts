import type { EntryKind, LineParser, Output } from "../format.ts";

/** Whether a line is a comment in a list of URLs, domains or hashes. */
export function isComment(line: string): boolean {
  const first = line[0];
  return first === "#" || first === "!" || first === ";";
}

/** Matches the head of a section, but neither an IPv6 address nor the header of an Adblock list. */
const SECTION =
  /^\[\[?(?![\da-f:.]*:[\da-f:.]*\])(?!ad|abp|ublock)[\p{L}][\p{L}\p{N}_ .:/-]{0,200}\]\]?$/iu;

/** Whether a line is the head of a section, such as `[rules]`. */
export function isSectionHead(line: string): boolean {
  return line.startsWith("[") && SECTION.test(line);
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

/** Matches a host after `!`, which begins an exception in some lists and a comment in others. */
const NEGATED = /^!(?:\*?\.)?(?:[\w-]+\.)+[a-z][\w-]+\/?$/i;

/** Matches a host after `-` or `~`, which mark exceptions in the lists of some programs. */
const EXCLUDED = /^[-~](?:\*?\.)?(?:[\w-]+\.)+[a-z][\w-]+(?:[/:]\S*)?$/i;
const AFTER_BULLET = /^[\u00b7\u2022\u2023\u2043\u2013\u2014\u2212\u25cf\u25e6]/;

/** A quick check for most lines: nothing marks them as a comment or an exception. */
const UNMARKED = /^[a-z\d]/;

/** One URL, host or expression per line. */
export function plainParser(output: Output, kind: EntryKind): LineParser {
  return {
    line(line) {
      const isMarked = !UNMARKED.test(line);
      if (isMarked && isComment(line)) {
        if (NEGATED.test(line)) output.refuse("exception", line);
      } else if (isMarked && (line.startsWith("@@") || EXCLUDED.test(line))) {
        output.refuse("exception", line);
      } else if (isMarked && AFTER_BULLET.test(line)) output.refuse("host-character", line);
      else output.entry(withoutLeadingWildcard(withoutComment(line)), kind);
    },
  };
}
