import type { CanonicalUrl } from "@x/canon";

const PARTS = /^(?:https?:\/\/)?([^/?#]*)(.*)$/is;
const PORT = /:[0-9]*$/;
const NOT_ASCII = /[^\0-\x7f]+/g;

/**
 * Whether the pattern of an Adblock rule is the URL of its entry, character by character. Rules are compared with the
 * URL that a browser sends, so `||evil.example/a/../^` blocks nothing, while its entry would cover all of evil.example.
 */
export function isLiteral(pattern: string, { host, path, query }: CanonicalUrl): boolean {
  if (pattern === host) return true;
  const [, authority = "", rest = ""] = PARTS.exec(pattern)!;
  const written = authority.replace(PORT, "").toLowerCase();
  // The host of a rule may have letters of other alphabets, which are converted in the same way.
  if (written !== host && written.search(NOT_ASCII) < 0) return false;
  if (rest === "") return true;
  // An empty query is not part of an entry.
  if (query === "") return false;
  const canonical = query === null ? path : `${path}?${query}`;
  return rest.replace(NOT_ASCII, encodeURIComponent) === canonical;
}
