import { getPublicSuffix, parse } from "tldts";

const OPTIONS = {
  allowPrivateDomains: true,
  detectIp: false,
  extractHostname: false,
  validateHostname: false,
};

/**
 * Returns whether a canonical host is on the Public Suffix List: a suffix under which anyone can register, such as
 * `com` or `co.uk`, or a host that unrelated people share, such as `github.io`.
 *
 * @see https://publicsuffix.org/list/
 * @example
 * ```ts
 * import { isPublicSuffix } from "@x/list-source/public-suffixes";
 *
 * ["co.uk", "github.io"].every(isPublicSuffix); // → true
 * ["evil.co.uk", "intranet"].some(isPublicSuffix); // → false
 * ```
 */
export function isPublicSuffix(host: string): boolean {
  // If the list has no rule for a host, `tldts` treats the last label as a suffix.
  if (host.includes(".")) return getPublicSuffix(host, OPTIONS) === host;
  const { publicSuffix, isIcann, isPrivate } = parse(host, OPTIONS);
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}
