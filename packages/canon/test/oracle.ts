import unassigned from "@unicode/unicode-18.0.0/General_Category/Unassigned/regex.mjs";
import type { CanonErrorCode, CanonicalUrl } from "@x/canon";
import tr46 from "tr46";

/**
 * A second implementation of the canonicalization, written from the specification alone and as plainly as possible,
 * with repeated passes, regular expressions and naive loops, and without regard for speed. It shares no code with the
 * package, so the two can be compared.
 *
 * Bytes are strings with one character for each byte. A raw U+0080–U+009F of a text is raised by `C1_MARK` until
 * it is known whether it lies in the host, where it is one byte, or elsewhere, where it is UTF-8.
 */

/** The canonical URL of an input, or the code of its error. */
export type Verdict = CanonicalUrl | CanonErrorCode;

const C1_MARK = 0x1000;
const MARKED_C1 = /[\u1080-\u109f]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The maximum length of a label, in UTF-16 code units, of a host that is converted to ASCII. */
const LONGEST_LABEL = 512;

/** The maximum total length of the labels, in UTF-16 code units, of a host that is converted to ASCII. */
const LONGEST_LABELS = 2048;

function octetsOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function utf8Text(octets: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(octets, (octet) => octet.charCodeAt(0)),
    );
  } catch {
    return null;
  }
}

function toOctets(input: string | Uint8Array): string {
  if (typeof input !== "string") {
    let octets = "";
    for (const octet of input) octets += String.fromCharCode(octet);
    return octets;
  }
  let octets = "";
  for (const character of input) {
    const isC1 = /^[\u0080-\u009f]$/.test(character);
    octets += isC1 ? String.fromCharCode(character.charCodeAt(0) + C1_MARK) : octetsOf(character);
  }
  return octets;
}

const c1AsOneOctet = (text: string) =>
  text.replace(MARKED_C1, (c) => String.fromCharCode(c.charCodeAt(0) - C1_MARK));
const c1AsUtf8 = (text: string) =>
  text.replace(MARKED_C1, (c) => octetsOf(String.fromCharCode(c.charCodeAt(0) - C1_MARK)));

/** "Repeatedly remove percent-escapes from the URL until it has no more percent-escapes." */
export function unescapeInPasses(octets: string): string {
  let text = octets;
  for (;;) {
    const next = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === text) return text;
    text = next;
  }
}

/** "Percent-escape all characters that are <= ASCII 32, >= 127, #, or %", in upper-case hex. */
function escapeOctets(octets: string): string {
  return octets.replace(
    /[\x00-\x20\x7f-\xff#%]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/**
 * The host without ports and dots at its end, without dots at its start, and with one dot for each run of dots. The
 * rules are repeated until nothing changes, because one rule can make another apply. A host that starts with a bracket
 * that is never closed has no port.
 */
function tidy(hostAndPort: string): string {
  let host = hostAndPort;
  for (;;) {
    let next = host.replace(/\.\.+/g, ".").replace(/^\./, "").replace(/\.$/, "");
    if (!/^\[[^\]]*$/.test(next)) next = next.replace(/:[0-9]*$/, "");
    if (next === host) return host;
    host = next;
  }
}

/** The ASCII form of a host with characters beyond ASCII, or the unchanged host when it has no ASCII form. */
function idnToAscii(host: string): string {
  if (!/[\x80-\xff]/.test(host)) return host;
  const text = utf8Text(host);
  if (text === null) return host;
  // A later version of Unicode may map unassigned characters.
  if (unassigned.test(text)) return host;
  const written = text.split(/[.\u3002\uff0e\uff61]/);
  const labels = written.map(asciiLabel);
  const converted = written
    .map((label) => tr46.toUnicode(label, OPTIONS).domain)
    .filter((label) => /[^\0-\x7f]/.test(label));
  if (converted.join("").length > LONGEST_LABELS) return host;
  const ascii = labels.includes(null) ? null : labels.join(".");
  return ascii === null || /[\0-\x20#%/:<>?@[\\\]^|\x7f]/.test(ascii) ? host : ascii;
}

function asciiLabel(label: string): string | null {
  const mapped = tr46.toUnicode(label, OPTIONS).domain;
  const isIdn = /[^\0-\x7f]/.test(mapped);
  // A joiner is not valid after ASCII.
  if (/(?:^|[\0-\x7f])[\u200c\u200d]/.test(mapped)) return null;
  if (isIdn && mapped.length > LONGEST_LABEL) return null;
  // In Punycode, unassigned characters are valid.
  return unassigned.test(mapped) ? label.toLowerCase() : tr46.toASCII(label, OPTIONS);
}

/** The options with which browsers apply UTS #46, without its rules for labels. */
export const OPTIONS = {
  checkHyphens: false,
  checkBidi: false,
  checkJoiners: false,
  useSTD3ASCIIRules: false,
  verifyDNSLength: false,
};

function ipv4(host: string): string | null {
  const parts = host.split(".");
  if (parts.length > 4) return null;
  const numbers: bigint[] = [];
  for (const part of parts) {
    if (/^0x[0-9a-f]+$/i.test(part)) numbers.push(BigInt(part.toLowerCase()));
    else if (/^0[0-7]*$/.test(part)) numbers.push(BigInt(`0o${part}`));
    else if (/^[1-9][0-9]*$/.test(part)) numbers.push(BigInt(part));
    else return null;
  }
  const last = numbers.pop()!;
  if (numbers.some((number) => number > 255n)) return null;
  if (last >= 256n ** BigInt(4 - numbers.length)) return null;
  let address = last;
  numbers.forEach((number, i) => {
    address += number * 256n ** BigInt(3 - i);
  });
  return dotted(address);
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join(".");
}

const DECIMAL_OCTET = /^(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$/;

/** The groups on one side of the `::`. An embedded IPv4 address at the end counts as two groups. */
function groupsOf(side: string, mayEndInIpv4: boolean): bigint[] | null {
  if (side === "") return [];
  const words = side.split(":");
  const groups: bigint[] = [];
  for (const [i, word] of words.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(word)) {
      groups.push(BigInt(`0x${word}`));
      continue;
    }
    const octets = word.split(".");
    const isIpv4 = octets.length === 4 && octets.every((octet) => DECIMAL_OCTET.test(octet));
    if (!isIpv4 || !mayEndInIpv4 || i < words.length - 1) return null;
    const [a, b, c, d] = octets.map(BigInt) as [bigint, bigint, bigint, bigint];
    groups.push(a * 256n + b, c * 256n + d);
  }
  return groups;
}

/** The canonical text of an IPv6 address in brackets, or of the IPv4 address that it contains. */
function ipv6(host: string): { host: string; hostType: "ipv4" | "ipv6" } | null {
  if (!/^\[.*\]$/s.test(host)) return null;
  const sides = host.slice(1, -1).split("::");
  if (sides.length > 2) return null;
  let groups: bigint[] | null;
  if (sides.length === 1) {
    groups = groupsOf(sides[0]!, true);
  } else {
    const left = groupsOf(sides[0]!, false);
    const right = groupsOf(sides[1]!, true);
    if (left === null || right === null || left.length + right.length > 7) return null;
    const zeros = Array<bigint>(8 - left.length - right.length).fill(0n);
    groups = [...left, ...zeros, ...right];
  }
  if (groups === null || groups.length !== 8) return null;

  const words = groups.map((group) => group.toString(16));
  const address = words.join(":");
  const carried = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (carried !== null) {
    const text = dotted(BigInt(`0x${carried[1]}`) * 65536n + BigInt(`0x${carried[2]}`));
    return { host: text, hostType: "ipv4" };
  }
  // The first of the longest runs of two or more zero groups.
  for (let length = 8; length >= 2; length--) {
    for (let start = 0; start + length <= 8; start++) {
      if (words.slice(start, start + length).some((word) => word !== "0")) continue;
      const text = `${words.slice(0, start).join(":")}::${words.slice(start + length).join(":")}`;
      return { host: `[${text}]`, hostType: "ipv6" };
    }
  }
  return { host: `[${address}]`, hostType: "ipv6" };
}

function canonicalHost(raw: string): Pick<CanonicalUrl, "host" | "hostType"> {
  const host = tidy(idnToAscii(tidy(raw)));
  const v4 = ipv4(host);
  if (v4 !== null) return { host: v4, hostType: "ipv4" };
  const v6 = ipv6(host);
  if (v6 !== null) return v6;
  const lower = host.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return { host: escapeOctets(lower), hostType: "domain" };
}

function canonicalPath(raw: string): string {
  let path = raw === "" ? "/" : raw;
  if (/\/\.\.?$/.test(path)) path += "/";
  for (;;) {
    const next = path.replace(/\/\.\//, "/");
    if (next === path) break;
    path = next;
  }
  for (;;) {
    const next = path.startsWith("/../")
      ? path.slice("/..".length)
      : path.replace(/\/[^/]*\/\.\.\//, "/");
    if (next === path) break;
    path = next;
  }
  return path.replace(/\/\/+/g, "/");
}

/** The result that `parseUrl` must give for the input. */
export function oracle(input: string | Uint8Array): Verdict {
  if (typeof input === "string" && LONE_SURROGATE.test(input)) return "lone-surrogate";
  let url = toOctets(input)
    .replace(/[\t\r\n]/g, "")
    .replace(/^ +/, "")
    .replace(/(?<! ) +$/, "");
  url = unescapeInPasses(url.replace(/#.*$/s, ""));

  let scheme = "http";
  let rest = url;
  const withAuthority = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url);
  if (withAuthority !== null) {
    scheme = withAuthority[1]!.toLowerCase();
    rest = url.slice(withAuthority[0].length);
  } else if (url.startsWith("//")) {
    rest = url.slice(2);
  } else if (
    /^[A-Za-z][A-Za-z0-9+.-]*:/.test(url) &&
    !/^[A-Za-z][A-Za-z0-9+.-]*:[0-9]+(?:[/?]|$)/.test(url)
  ) {
    return "authority-missing";
  }

  const [, authority, path, query] = /^([^/?]*)([^?]*)(\?.*)?$/s.exec(rest)!;
  const { host, hostType } = canonicalHost(c1AsOneOctet(authority!.replace(/^.*@/s, "")));
  if (host === "") return "host-missing";

  const parts = {
    scheme,
    host,
    hostType,
    path: escapeOctets(canonicalPath(c1AsUtf8(path!))) as `/${string}`,
    query: query === undefined ? null : escapeOctets(c1AsUtf8(query.slice(1))),
  };
  const search = parts.query === null ? "" : `?${parts.query}`;
  return { href: `${parts.scheme}://${parts.host}${parts.path}${search}`, ...parts };
}
