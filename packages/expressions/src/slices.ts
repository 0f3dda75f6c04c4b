import { fromCodes } from "@x/canon/bytes";
import { typeError } from "@x/canon/own-options";
import type { CanonicalSpans } from "@x/canon/verify";
import {
  lastTwoLabels,
  MAX_HOST_SUFFIXES,
  MAX_PATH_PREFIXES,
  writePairs,
} from "./host-path-pairs.ts";

export { keepHost } from "./host-path-pairs.ts";

/** The maximum number of expressions of one URL. */
export const MAX_EXPRESSIONS: number = MAX_HOST_SUFFIXES * MAX_PATH_PREFIXES;

/**
 * Writes the start and end index in `bytes` of each expression of a canonical URL into `starts` and `ends`,
 * from index `at` on, in the order of `expressions`. Returns the number of expressions, 1 to
 * {@link MAX_EXPRESSIONS}. The only string that is created is the host for `registrableDomain`.
 *
 * @throws RangeError when `spans.end` is greater than the length of `bytes` (which is 0 for a detached array),
 * or when `starts` or `ends` is too short for the expressions.
 * @throws TypeError when `registrableDomain` returns something that {@link ExpressionOptions} does not allow.
 * @example
 * ```ts
 * import { sliceExpressions } from "@x/expressions/slices";
 *
 * const bytes = new TextEncoder().encode("http://b.c/1");
 * const spans = { hostType: "domain", host: 7, path: 10, query: 12, end: 12 } as const;
 * const starts = new Uint32Array(30);
 * const ends = new Uint32Array(30);
 * sliceExpressions(bytes, spans, {}, starts, ends, 0); // → 2
 * [...starts.subarray(0, 2), ...ends.subarray(0, 2)]; // → [7, 7, 12, 11]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function sliceExpressions(
  bytes: Uint8Array,
  spans: CanonicalSpans,
  options: ExpressionOptions,
  starts: Uint32Array,
  ends: Uint32Array,
  at: number,
): number {
  if (spans.end > bytes.length) throw outOfRange("spans.end", bytes.length, spans.end);
  const shortest = shortestSuffixStart(bytes, spans, options);
  // Writes beyond the end of a typed array are dropped, so the lengths can be checked afterwards.
  const count = writePairs(bytes, spans, shortest, starts, ends, at);
  const most = Math.min(starts.length, ends.length) - count;
  if (at > most) throw outOfRange("at", most, at);
  return count;
}

function outOfRange(argument: string, most: number, value: number): RangeError {
  return new RangeError(`${argument} must be at most ${most}, not ${value}`);
}

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
function shortestSuffixStart(
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
