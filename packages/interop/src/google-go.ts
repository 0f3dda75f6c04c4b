import { escapeBytes, unescapeRepeatedly } from "@x/canon/bytes";
import { decodeLabel, encodeLabel } from "@x/canon/punycode";
import {
  type ClientTexts,
  fromByteString,
  hostsAbove,
  noTexts,
  textsOf,
  toByteString,
  unescapeOnce,
} from "./texts.ts";

const MAX_LABELS = 7;
const PORT = /:[0-9]+$/;
/** Punycode takes quadratic time, and no name has labels of more than 63 bytes. */
const LONGEST_LABEL = 512;

/**
 * Reads a URL as the Go client of Safe Browsing (github.com/google/safebrowsing), which is also part of `sbserver`. The
 * client differs from the specification in these ways:
 *
 * - escapes have lower-case digits;
 * - the host suffixes are the whole host and its last two to seven labels;
 * - non-ASCII labels become Punycode without mapping: capital letters, full-width letters and ligatures stay;
 * - a host with a port needs a scheme;
 * - IPv6 addresses are converted to lower case, but otherwise keep their spelling;
 * - a part of an IPv4 address that is too large loses its upper bits, so `264.8.8.8` becomes `8.8.8.8`;
 * - `.` or `..` at the end of a path leaves no slash, so `/a/b/..` becomes `/a`.
 *
 * These differences are known from the published behaviour of the client, and from measurements with the 33 vectors and
 * with other URLs. The tests in this repository do not run the client.
 */
export function readAsGoogleGo(url: string): ClientTexts {
  return readAsGo(url, (host) => host.toLowerCase(), escapeInLowerCase);
}

/**
 * Reads a URL as the Go client of Web Risk (github.com/google/webrisk), which is also part of `wrserver`. The client
 * follows the rules of {@link readAsGoogleGo}, except that escapes have upper-case digits and that a host is unescaped
 * and escaped again.
 */
export function readAsGoogleWebRisk(url: string): ClientTexts {
  return readAsGo(
    url,
    (host) => escapeBytes(unescapeRepeatedly(host).replace(/[A-Z]+/g, (it) => it.toLowerCase())),
    escapeBytes,
  );
}

function readAsGo(
  url: string,
  finishHost: (host: string) => string,
  escapeAgain: (bytes: string) => string,
): ClientTexts {
  const text = trimWhiteSpace(splitAt(toByteString(url), "#")[0]);
  let rest = escapeAgain(unescapeRepeatedly(text.replace(/[\t\r\n]/g, "")));
  // Text before the first colon counts as a scheme if it has the form of one, even if a port follows.
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(rest)?.[0];
  if (scheme !== undefined) rest = rest.slice(scheme.length + 1);
  const [beforeQuery, query] = splitAt(rest, "?");
  if (scheme !== undefined && !beforeQuery.startsWith("//")) return noTexts("not-a-url");
  const hierarchy = scheme === undefined ? beforeQuery : beforeQuery.slice(2);
  const slash = hierarchy.indexOf("/");
  const authority = slash < 0 ? hierarchy : hierarchy.slice(0, slash);
  const host = authority === "" ? null : hostOf(authority, finishHost);
  if (host === null) return noTexts("not-a-url");
  const path = slash < 0 ? "/" : cleanPath(hierarchy.slice(slash));
  const isAddress = host.startsWith("[") || addressOf(host) !== null;
  const hosts = isAddress ? [host] : [host, ...hostsAbove(host, MAX_LABELS)];
  const texts = hosts.flatMap(
    // With the type of an address, `textsOf` forms no host suffixes: `hosts` already contains them.
    (suffix) => textsOf({ host: suffix, hostType: "ipv4", path, query: query ?? null }).texts,
  );
  return { exact: texts[0]!, texts, problem: null };
}

function trimWhiteSpace(text: string): string {
  let end = text.length;
  while (end > 0 && /[\t-\r ]/.test(text[end - 1]!)) end--;
  return text.slice(0, end).replace(/^[\t-\r ]+/, "");
}

function splitAt(text: string, delimiter: string): [string, string?] {
  const index = text.indexOf(delimiter);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function escapeInLowerCase(bytes: string): string {
  return escapeBytes(bytes).replace(/%../g, (it) => it.toLowerCase());
}

function hostOf(authority: string, finish: (host: string) => string): string | null {
  // In a host, the clients read each of U+0080 to U+009F as a single byte.
  let host = authority.slice(authority.lastIndexOf("@") + 1).replace(/%c2(%[89][0-9a-f])/gi, "$1");
  if (host.startsWith("[") && !host.includes("]")) return null;
  host = host.replace(PORT, "");
  const unescaped = unescapeOnce(host);
  if (/[\x81-\xff]/.test(unescaped)) {
    const labels = fromByteString(unescaped).split(".").map(labelToAscii);
    if (labels.includes(null)) return null;
    host = labels.join(".");
  }
  host = host.replace(/\.+/g, ".").replace(/^\.|\.$/g, "");
  return addressOf(host) ?? finish(host);
}

/**
 * The Punycode of a label, without mapping its characters; `null` for a label that is not valid Punycode or is too
 * long.
 */
function labelToAscii(label: string): string | null {
  if (label.length > LONGEST_LABEL) return null;
  const unicode = decodeLabel(label);
  if (unicode === null || /^[\0-\x7f]*$/.test(unicode)) return unicode;
  return encodeLabel(unicode);
}

/**
 * The IPv4 address of a host as four decimal numbers; `null` for other hosts. Bits that do not fit into a part are
 * dropped.
 */
function addressOf(host: string): string | null {
  const parts = host.split(".");
  if (parts.length > 4) return null;
  const bytes: number[] = [];
  for (const [i, part] of parts.entries()) {
    const value = numberOf(part);
    if (value === null) return null;
    const count = i === parts.length - 1 ? 5 - parts.length : 1;
    for (let byte = count - 1; byte >= 0; byte--) bytes.push(Math.floor(value / 256 ** byte) & 255);
  }
  return bytes.join(".");
}

function numberOf(text: string): number | null {
  const isNumber = /^(?:0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9][0-9]*)$/.test(text);
  if (!isNumber) return null;
  const value = /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
  return value < 2 ** 32 ? value : null;
}

/** Resolves `.` and `..`, and removes empty segments. A slash at the end stays. */
function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const clean = `/${segments.join("/")}`;
  return path.endsWith("/") && clean !== "/" ? `${clean}/` : clean;
}
