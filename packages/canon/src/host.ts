import { asciiLowerCase, COLON, DOT, isAscii, isDigit } from "./ascii.ts";
import { formatIpv4, parseIpv4 } from "./ipv4.ts";
import { embeddedIpv4, formatIpv6, parseIpv6 } from "./ipv6.ts";
import { decodeUtf8 } from "./octets.ts";

/** Whether a host is a name or an address, and of which family. */
export type HostType = "domain" | "ipv4" | "ipv6";

/** The host and port of an authority: what stands after its last `@`. */
export function dropUserinfo(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/**
 * The host of a host and port (RFC 2396 §3.2.2). A port is digits, or nothing, after a colon; anything
 * else there stays part of the host. Of `host:1:2` no port is left either.
 */
export function dropPort(hostAndPort: string): string {
  const start = leadingDots(hostAndPort);
  return hostAndPort.slice(0, trimmedEnd(hostAndPort, start, { dots: false }));
}

/**
 * Removes the dots at both ends ("To canonicalize the hostname", step 1). A port that only they hid, as
 * in `host:80.`, goes as well: it would be one in the canonical URL.
 */
export function trimDots(host: string): string {
  const start = leadingDots(host);
  return host.slice(start, trimmedEnd(host, start, { dots: true }));
}

function leadingDots(text: string): number {
  let i = 0;
  while (text.charCodeAt(i) === DOT) i++;
  return i;
}

/** Where the ports at the end of a host start, and with `dots` the dots among and behind them too. */
function trimmedEnd(text: string, start: number, { dots }: { dots: boolean }): number {
  // In a bracket that never closes, a colon belongs to what was meant as an IPv6 address.
  const ports = text[start] !== "[" || text.includes("]", start);
  let end = text.length;
  for (;;) {
    while (dots && end > start && text.charCodeAt(end - 1) === DOT) end--;
    let colon = end - 1;
    while (isDigit(text.charCodeAt(colon))) colon--;
    if (!ports || text.charCodeAt(colon) !== COLON) return end;
    end = colon;
  }
}

/**
 * UTF-16 code units of a label, without those that UTS 46 removes. No longer one can become a label of a
 * domain name, which has 63 octets; and platforms take quadratic time for a label.
 */
const LONGEST_LABEL = 512;

/** The full stops of UTS 46. */
const FULL_STOPS = /[.\u3002\uff0e\uff61]/g;

/** What UTS 46 removes, and more that it does not: but for the joiners, none of it has a place in a name. */
const IGNORED = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;

/** What the platform would take as structure, or drop, instead of refusing it. */
const STRUCTURE = /[\t\n\r/\\?#@:]/;

/**
 * Converts an internationalized domain name to ASCII as browsers do (UTS 46: non-transitional, without
 * the STD3 and hyphen rules). A host that is not UTF-8, or that UTS 46 or the platform refuses, keeps
 * its octets.
 */
export function idnToAscii(host: string): string {
  if (isAscii(host)) return host;
  // What the next steps remove would otherwise make IDNA refuse a host whose canonical form it accepts.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null || STRUCTURE.test(name) || hasLongLabel(name)) return host;
  try {
    // Behind a last label that is no number, the platform does not read an address into the host.
    const ascii = new URL(`http://${name}.${LAST_LABEL}`).hostname;
    return ascii.slice(0, -LAST_LABEL.length - 1);
  } catch {
    return host;
  }
}

const LAST_LABEL = "x";

function hasLongLabel(name: string): boolean {
  if (name.length <= LONGEST_LABEL) return false;
  const shown = name.replace(IGNORED, "");
  let start = 0;
  for (const { index } of shown.matchAll(FULL_STOPS)) {
    if (index - start > LONGEST_LABEL) return true;
    start = index + 1;
  }
  return shown.length - start > LONGEST_LABEL;
}

/** Replaces runs of dots by one dot ("To canonicalize the hostname", step 2). */
export function collapseDots(host: string): string {
  return host.includes("..") ? host.replace(/\.{2,}/g, ".") : host;
}

/**
 * Brings a host that can be read as an IP address to its normal form ("To canonicalize the hostname",
 * step 3): four decimal octets for IPv4, also where an IPv6 address holds one; RFC 5952 in brackets for
 * other IPv6 addresses, of which the text says nothing. Every other host is a name.
 */
export function normalizeIpAddress(host: string): { host: string; hostType: HostType } {
  if (host.startsWith("[") && host.endsWith("]")) {
    const groups = parseIpv6(host.slice(1, -1));
    if (groups === null) return { host, hostType: "domain" };
    const address = embeddedIpv4(groups);
    if (address === null) return { host: `[${formatIpv6(groups)}]`, hostType: "ipv6" };
    return { host: formatIpv4(address), hostType: "ipv4" };
  }
  const address = parseIpv4(host);
  if (address === null) return { host, hostType: "domain" };
  return { host: formatIpv4(address), hostType: "ipv4" };
}

/** Lower-cases the ASCII letters ("To canonicalize the hostname", step 4). */
export function lowerCaseHost(host: string): string {
  return asciiLowerCase(host);
}
