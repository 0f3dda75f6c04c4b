import { isAscii } from "./ascii.ts";
import { decodePunycode } from "./steps/punycode.ts";

/** The maximum length of a name in bytes, without the length bytes (RFC 1035 §2.3.4). */
const MAX_NAME_LENGTH = 253;

/**
 * Matches a name of labels of at most 63 characters. Labels below the top-level domain may have a few unusual
 * characters: browsers accept them, and a DNS server with a wildcard record answers for such names. A top-level domain
 * never has these characters (RFC 1123 §2.1). Names such as `http__evil.example` are excluded: their underscores
 * replace the colon and the slashes of a scheme.
 */
const NAME =
  /^(?!h(?:tt|xx)ps?__)(?:[a-z0-9_-]{1,63}|(?:[a-z0-9_!$&*+~-]{1,63}\.)+([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))$/;

/**
 * Matches a host that ends in the name of a scheme. No top-level domain has that name. In
 * `http://www.http//evil.example` and `http/evil.example`, a second scheme or a scheme without its colon is read as the
 * host.
 */
const ENDS_IN_SCHEME = /(?:^|\.)h(?:tt|xx)ps?$/;

/**
 * Matches a number, which no top-level domain is. Browsers refuse a host that ends in a number, unless the host is an
 * address.
 */
const NUMBER = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Punctuation and symbols, without those that RFC 5892 (appendix A) allows in names. */
const NOT_IN_NAME = /(?![-\xb7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u30fb])[\p{P}\p{S}]/u;

/**
 * Whether a canonical host that is not an address can be a name in DNS. Canonicalization accepts nearly any text as a
 * host, and browsers accept many such texts: the host of `http://evil.example"/` is `evil.example"`.
 */
export function isPossibleName(host: string): boolean {
  if (host.length > MAX_NAME_LENGTH || ENDS_IN_SCHEME.test(host)) return false;
  const name = NAME.exec(host);
  return name !== null && isPossibleTopLevel(name[1] ?? host);
}

/** Whether a label, in ASCII, can be a top-level domain. */
export function isPossibleTopLevel(label: string): boolean {
  if (NUMBER.test(label)) return false;
  if (!label.startsWith("xn--")) return true;
  const decoded = decodePunycode(label.slice("xn--".length));
  return decoded !== null && !isAscii(decoded) && !NOT_IN_NAME.test(decoded);
}

const AUTHORITY = /^\s*(?:[a-z][a-z0-9+.-]*:(?=[/\\]))?[/\\]*([^/\\?#]*)/i;

/** Whether a text has several colons where its host and port should be, such as an IPv6 address without brackets. */
export function hasSeveralColons(text: string): boolean {
  const [, authority = ""] = AUTHORITY.exec(text)!;
  const hostAndPort = authority.slice(authority.lastIndexOf("@") + 1);
  return !hostAndPort.includes("[") && hostAndPort.indexOf(":") !== hostAndPort.lastIndexOf(":");
}
