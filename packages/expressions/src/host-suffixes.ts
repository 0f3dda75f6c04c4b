import type { CanonicalUrl } from "@x/canon";

/** Host suffixes that are tried besides the exact host. */
const MAX_SUFFIXES = 4;

/** Gives the registrable domain (eTLD+1) of a host, or `null` when it has none. */
export type RegistrableDomain = (host: string) => string | null;

/**
 * Where the host suffixes start in the host: the exact host first, then the longest suffix first.
 *
 * The shortest suffix has two labels (the top-level domain is skipped), or is the registrable domain;
 * each of the up to three others has one label more. An IP address has none.
 */
export function hostSuffixStarts(
  { host, hostType }: CanonicalUrl,
  registrableDomain?: RegistrableDomain,
): number[] {
  if (hostType !== "domain") return [0];
  let start =
    registrableDomain === undefined
      ? labelStart(host, labelStart(host, host.length + 1))
      : domainStart(host, registrableDomain(host));

  const starts: number[] = [];
  while (start > 0 && starts.length < MAX_SUFFIXES) {
    starts.unshift(start);
    start = labelStart(host, start);
  }
  starts.unshift(0);
  return starts;
}

/** Where the label starts that ends before the dot before `next`; 0 at the first label. */
function labelStart(host: string, next: number): number {
  return next < 2 ? 0 : host.lastIndexOf(".", next - 2) + 1;
}

/** Where the registrable domain starts in its host; 0 (no suffixes) when there is none. */
function domainStart(host: string, domain: string | null): number {
  if (domain === null) return 0;
  const start = host.length - domain.length;
  const isSuffix =
    domain !== "" && host.endsWith(domain) && (start === 0 || host[start - 1] === ".");
  if (!isSuffix) {
    throw new TypeError(
      `registrableDomain must return whole labels at the end of "${host}" or null; it returned "${domain}".`,
    );
  }
  return start;
}
