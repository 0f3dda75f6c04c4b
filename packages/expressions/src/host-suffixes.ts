import { typeError } from "./type-error.ts";

const DOT = 0x2e;

/** Host suffixes that are tried besides the exact host. */
export const MAX_HOST_SUFFIXES = 4;

/** Gives the registrable domain (eTLD+1) of a host, or `null` when it has none. */
export type RegistrableDomain = (host: string) => string | null;

const found = new Uint32Array(MAX_HOST_SUFFIXES);

/**
 * Writes where the host suffixes start into `starts`: the exact host first, then the longest suffix
 * first. Gives how many there are, 1 to 5.
 *
 * The host is the octets from `host` to `end`. Its shortest suffix starts at `shortest`; up to three
 * others have one label more each. There are none when `shortest` is the host itself.
 */
export function hostSuffixStarts(
  octets: Uint8Array,
  host: number,
  shortest: number,
  starts: Uint32Array,
): number {
  let count = 0;
  for (let start = shortest; start > host && count < MAX_HOST_SUFFIXES; ) {
    found[count++] = start;
    start = labelStart(octets, host, start);
  }
  starts[0] = host;
  for (let i = 1; i <= count; i++) starts[i] = found[count - i]!;
  return 1 + count;
}

/** Where the last two labels of a host start: the top-level domain alone is skipped. */
export function lastTwoLabels(octets: Uint8Array, host: number, end: number): number {
  const last = labelStart(octets, host, end + 1);
  return last === host ? host : labelStart(octets, host, last);
}

/** Where the label starts that ends before the dot before `next`. */
function labelStart(octets: Uint8Array, host: number, next: number): number {
  let i = next - 2;
  while (i >= host && octets[i] !== DOT) i--;
  return i + 1;
}

/** Where the registrable domain starts in its host; 0, the host itself, when there is none. */
export function domainStart(host: string, registrableDomain: RegistrableDomain): number {
  // Functions written in JavaScript often say "none" with `undefined`.
  const domain: string | null | undefined = registrableDomain(host);
  if (domain === null || domain === undefined) return 0;
  if (typeof domain !== "string") {
    throw typeError("what registrableDomain returns", "a string or null", domain);
  }
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
