import { hasMarkBeforeHost, hasNul, hasTextBeforeUrl, holdsSeveralUrls } from "@x/canon/other-text";
import type { LineRecognition } from "./line.ts";

/** Schemes such as `mailto:`, for which canonicalization gives a better message. */
const OPAQUE = /^\s*[a-z][a-z0-9+.-]*:(?![\d/\\])/i;
const AUTHORITY = /^[\0- ]*(?:[a-z][a-z0-9+.-]*:\/\/)?([^\0- /?#\\]*)/i;
const SEPARATOR = /[,;|]/;
const NEVER_IN_HOST = /["'()<=>^`{}\x80-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Z}/u;

const TWO_SCHEMES =
  /^[\0- ]*(?:https?|ftp|wss?):[/\\]*(?:h(?:tt|xx)ps?[/\\]|[^/?#\\]*h(?:tt|xx)ps?:[/\\]{2})/i;

const NULS: LineRecognition = {
  code: "control-character",
  found: "text with NUL characters, such as UTF-16",
};
const SEVERAL: LineRecognition = { code: "several-urls", found: "several URLs" };
const DOUBLED: LineRecognition = { code: "scheme-doubled", found: "a URL with two schemes" };
const CELLS: LineRecognition = { code: "comma-separated", found: "a line of CSV" };

/**
 * For a line that has the shape of a URL, returns what it looks like instead, or `null`. This check is needed because
 * canonicalization accepts nearly any text as a host.
 */
export function recognizeUrl(line: string): LineRecognition | null {
  if (hasNul(line)) return NULS;
  if (holdsSeveralUrls(line)) return SEVERAL;
  if (TWO_SCHEMES.test(line)) return DOUBLED;
  return SEPARATOR.test(hostOf(line)) ? CELLS : null;
}

/**
 * For a line that should be a URL, and that {@link recognizeLine} does not recognize, returns what it looks like if a
 * URL follows other text, if the host is odd, or if there is a NUL character. Otherwise returns `null`.
 */
export function recognizeHost(line: string): LineRecognition | null {
  if (hasNul(line)) return NULS;
  if (TWO_SCHEMES.test(line)) return DOUBLED;
  const isOpaque = OPAQUE.test(line);
  if (hasTextBeforeUrl(line)) {
    return { code: "several-urls", found: "a URL after other text" };
  }
  if (holdsSeveralUrls(line)) return SEVERAL;
  if (isOpaque) return null;
  // A host may start with "-". In a line without a scheme, however, "-" is a bullet, like the other marks.
  return hasMarkBeforeHost(line)
    ? { code: "host-character", found: "a host with a mark before it" }
    : oddHost(hostOf(line));
}

function hostOf(line: string): string {
  const authority = AUTHORITY.exec(line)![1]!;
  // A user name may contain any character, so it is left out.
  return authority.slice(authority.lastIndexOf("@") + 1);
}

function oddHost(host: string): LineRecognition | null {
  if (SEPARATOR.test(host)) return CELLS;
  if (host.replace(/^\*\./, "").includes("*")) {
    return { code: "wildcard", found: "a host with a wildcard" };
  }
  // Some odd characters occur in the first labels of real hosts, but never in the last label.
  const last = host.slice(host.lastIndexOf(".") + 1);
  const afterColon = host.includes(":") && host[0] !== "[" ? host.slice(host.indexOf(":")) : "";
  return NEVER_IN_HOST.test(host) || /[!$&+~]/.test(last) || /[^\d:]/.test(afterColon)
    ? { code: "host-character", found: "text with a character that no host has" }
    : null;
}
