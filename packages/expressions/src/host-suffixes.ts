import type { CanonicalSpans } from "@x/canon/verify";
import { typeError } from "./type-error.ts";

const DOT = 0x2e;
const LEFT_BRACKET = 0x5b;

/** The most host suffixes besides the exact host. */
const MAX_SHORTER_HOSTS = 4;

/** The most host suffixes, with the exact host. */
export const MAX_HOST_SUFFIXES: number = 1 + MAX_SHORTER_HOSTS;

/** Returns the registrable domain (eTLD+1) of a host, or `null` when it has none. */
export type RegistrableDomain = (host: string) => string | null;

/** Options that decide which host suffixes are formed. */
export interface ExpressionOptions {
  /**
   * Returns the registrable domain (eTLD+1, by the Public Suffix List) of a canonical host, or `null` or `undefined`
   * when it has none. It is not called for IP addresses and other hosts in brackets. With it, the host suffixes are
   * those of Safe Browsing v5: that domain, and the same domain with up to three more labels. Without it, they are
   * those of Web Risk and Safe Browsing v4: the last five, four, three and two labels.
   */
  readonly registrableDomain?: RegistrableDomain | undefined;
}

/**
 * Writes the start index of each host suffix into `starts`, from index `at` on: the exact host first,
 * then from the longest to the shortest. Returns the number of suffixes, 1 to 5.
 */
export function hostSuffixStarts(
  bytes: Uint8Array,
  { hostType, host, path }: CanonicalSpans,
  { registrableDomain }: ExpressionOptions,
  starts: Uint32Array,
  at: number,
): number {
  starts[at] = host;
  // Brackets contain an address, or something meant as one.
  if (hostType !== "domain" || bytes[host] === LEFT_BRACKET) return 1;
  const shortest =
    registrableDomain === undefined
      ? lastTwoLabels(bytes, host, path)
      : host + domainStart(new TextDecoder().decode(bytes.subarray(host, path)), registrableDomain);

  let count = 0;
  for (let start = shortest; start > host && count < MAX_SHORTER_HOSTS; count++) {
    starts[at + 1 + count] = start;
    start = labelStart(bytes, host, start);
  }
  // The loop above found the shortest first.
  for (let i = at + 1, j = at + count; i < j; i++, j--) {
    const start = starts[i]!;
    starts[i] = starts[j]!;
    starts[j] = start;
  }
  return 1 + count;
}

/** Where the last two labels of a host start: the top-level domain alone is no suffix. */
function lastTwoLabels(bytes: Uint8Array, host: number, end: number): number {
  const last = labelStart(bytes, host, end + 1);
  return last === host ? host : labelStart(bytes, host, last);
}

/** Where the previous label starts, given where the next one starts. */
function labelStart(bytes: Uint8Array, host: number, next: number): number {
  let i = next - 2;
  while (i >= host && bytes[i] !== DOT) i--;
  return i + 1;
}

/** Where the registrable domain starts in its host; 0, as for the host itself, when there is none. */
function domainStart(host: string, registrableDomain: RegistrableDomain): number {
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
    throw new TypeError(
      `registrableDomain must return null or whole labels at the end of "${host}", not "${domain}"`,
    );
  }
  return start;
}
