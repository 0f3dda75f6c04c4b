import type { CanonicalUrl } from "@x/canon";

const PARTS = /^(?:https?:\/\/)?([^/?#]*)(.*)$/is;
const PORT = /:[0-9]*$/;
const NOT_ASCII = /[^\0-\x7f]+/g;

const IDNA_DOTS = /[.\u3002\uff0e\uff61]/;

/**
 * Whether a host is written in its canonical form, apart from letters of other alphabets, which rules may also contain.
 */
function isSameHost(written: string, host: string): boolean {
  if (written === host) return true;
  const labels = written.split(IDNA_DOTS);
  const expected = host.split(".");
  const isSame = (label: string, i: number) => label === expected[i] || /[^\0-\x7f]/.test(label);
  return labels.length === expected.length && labels.every(isSame);
}

/**
 * Whether the pattern of an Adblock rule is the URL of its entry, character by character. Rules are compared with the
 * URL that a browser sends, so `||evil.example/a/../^` blocks nothing, while its entry would cover all of evil.example.
 */
export function isLiteral(pattern: string, { host, path, query }: CanonicalUrl): boolean {
  if (pattern === host) return true;
  const [, authority = "", rest = ""] = PARTS.exec(pattern)!;
  if (!isSameHost(authority.replace(PORT, "").toLowerCase(), host)) return false;
  if (rest === "") return true;
  // An empty query is not part of an entry.
  if (query === "") return false;
  const canonical = query === null ? path : `${path}?${query}`;
  return rest.replace(NOT_ASCII, encodeURIComponent) === canonical;
}
