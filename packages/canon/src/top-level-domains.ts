/**
 * Last labels of names that are in use, but not in the public DNS, from RFC 6761, RFC 6762 with its Appendix G, RFC
 * 7686 and RFC 9476, and `internal`, which ICANN has reserved.
 */
const SPECIAL_USE: readonly string[] =
  "alt corp example home internal intranet invalid lan local localdomain localhost onion private test".split(
    " ",
  );

const LOOKS_TOP_LEVEL = /(?:^|\.)(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Returns a function that says whether a canonical host ends in a top-level domain, or in a label that is reserved for
 * special use. Without `isPublicSuffix`, any label of letters counts.
 */
export function topLevelDomains(
  isPublicSuffix: ((host: string) => boolean) | undefined,
): (host: string) => boolean {
  if (isPublicSuffix === undefined) return (host) => LOOKS_TOP_LEVEL.test(host);
  // Looking up a label is slow, so known labels are kept. Unknown labels are not, because their number has no limit.
  const known = new Set(SPECIAL_USE);
  return (host) => {
    const dot = host.lastIndexOf(".");
    const label = host.slice(dot + 1);
    if (known.has(label)) return true;
    // A list may have `co.uk` without `uk`.
    const two = host.slice(host.lastIndexOf(".", dot - 1) + 1);
    const isKnown = isPublicSuffix(label) || isPublicSuffix(two);
    if (isKnown) known.add(label);
    return isKnown;
  };
}
