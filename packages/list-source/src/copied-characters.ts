import type { CanonicalUrl } from "@x/canon";

/** Punctuation that people copy along with a URL from sentences, tables and HTML. */
const COPIED = /[,;'|]$|&amp;/;
/**
 * Matches characters at the end of a path or query that were probably copied along: the end of a sentence or quotation,
 * blanks and invisible characters.
 */
const COPIED_AFTER_PATH =
  /(?:[!\xa0\xad\xbb\u2019\u201d\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|(?<!\.)\.|%(?:20|22|0A|0D)|%C2%A0|%E2%80%(?:8[B-F]|99|9D))$/i;
const CLOSERS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

/** Whether a URL ends in something that was probably copied with it. */
export function endsInCopied(text: string, { path, query }: CanonicalUrl): boolean {
  if (COPIED.test(text)) return true;
  if (path === "/" && query === null) return false;
  const hash = text.indexOf("#");
  const written = hash < 0 ? text : text.slice(0, hash);
  const last = written.at(-1)!;
  if (last === "*") return query === null;
  const opener = CLOSERS.get(last);
  if (opener === undefined) return COPIED_AFTER_PATH.test(written);
  return written.split(opener).length < written.split(last).length;
}
