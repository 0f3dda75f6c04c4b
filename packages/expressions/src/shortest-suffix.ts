import { fromCodes } from "@x/canon/bytes";
import { typeError } from "@x/canon/own-options";
import type { CanonicalSpans } from "@x/canon/verify";
import { lastTwoLabels } from "./host-suffix-starts.ts";

const LEFT_BRACKET = 0x5b;

/** Returns the registrable domain (eTLD+1) of a host, or `null` when it has none. */
export type RegistrableDomain = (host: string) => string | null;

/** Options that decide which host suffixes are formed. */
export interface ExpressionOptions {
  /**
   * Returns the registrable domain (eTLD+1, by the Public Suffix List) of a canonical host, or `null` or
   * `undefined` when the host has none. The result must be whole labels at the end of the host. The function
   * is not called for IP addresses and other hosts in brackets.
   *
   * The exact host is always a host suffix. With this option, the other host suffixes are those of Safe Browsing v5:
   * the registrable domain, and the same domain with up to three more labels. Without the option, they are those of Web
   * Risk and Safe Browsing v4: the last five, four, three and two labels. The last labels are also used if the function
   * returns any other string for a host with characters that no domain name has.
   */
  readonly registrableDomain?: RegistrableDomain | undefined;
}

/** The index at which the shortest host suffix starts, or the start of the host if the host has no shorter suffix. */
export function shortestSuffixStart(
  bytes: Uint8Array,
  { hostType, host, path }: CanonicalSpans,
  options: ExpressionOptions,
): number {
  // Brackets contain an address, or something meant as one.
  if (hostType !== "domain" || bytes[host] === LEFT_BRACKET) return host;
  // Properties that other code added to `Object.prototype` are not options.
  const registrableDomain = Object.hasOwn(options, "registrableDomain")
    ? options.registrableDomain
    : undefined;
  const domain =
    registrableDomain === undefined
      ? null
      : domainStart(fromCodes(bytes.subarray(host, path)), registrableDomain);
  return domain === null ? lastTwoLabels(bytes, host, path) : host + domain;
}

/** Matches a host that all functions for registrable domains read in the same way. */
const DOMAIN_NAME = /^[a-z0-9_.-]+$/;

/**
 * The index at which the registrable domain starts in its host, or 0 when there is none. `null` when the function reads
 * a host with unusual characters as a different host.
 */
function domainStart(host: string, registrableDomain: RegistrableDomain): number | null {
  // Functions written in JavaScript often return `undefined` for "none".
  const domain: string | null | undefined = registrableDomain(host);
  if (domain === null || domain === undefined) return 0;
  if (typeof domain !== "string") {
    throw typeError("the result of registrableDomain", "a string or null", domain);
  }
  const start = host.length - domain.length;
  const isSuffix =
    domain !== "" && host.endsWith(domain) && (start === 0 || host[start - 1] === ".");
  if (!isSuffix) {
    // A function that also accepts URLs finds a shorter host in `evil.example\x`.
    if (!DOMAIN_NAME.test(host)) return null;
    throw new TypeError(
      `registrableDomain must return null or whole labels at the end of "${host}", not "${domain}"`,
    );
  }
  return start;
}
