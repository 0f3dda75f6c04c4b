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

/**
 * Returns whether a canonical host is a suffix of a registry, such as `com` or `co.uk`, according to the ICANN section
 * of the Public Suffix List. Hosts in its private section, such as `github.io`, belong to one company.
 *
 * @see https://publicsuffix.org/list/
 * @example
 * ```ts
 * import { isRegistrySuffix } from "@x/list-source/public-suffixes";
 *
 * ["com", "co.uk"].every(isRegistrySuffix); // → true
 * ["github.io", "evil.co.uk"].some(isRegistrySuffix); // → false
 * ```
 */
export function isRegistrySuffix(host: string): boolean {
  const { publicSuffix, isIcann } = parse(host, OPTIONS);
  return publicSuffix === host && isIcann === true;
}
