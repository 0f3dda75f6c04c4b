import type { LineRecognition } from "./line.ts";

/** `mailto:` and the like, for which canonicalization has a better message. */
const OPAQUE = /^\s*[a-z][a-z0-9+.-]*:(?![\d/\\])/i;
const URL_AFTER_BLANK = /\S\s+[a-z][a-z0-9+.-]*:\/\//i;
const AUTHORITY = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#\\]*)/i;

/**
 * For a line that should be a URL, and that {@link recognizeLine} does not recognize, returns what it looks like if its
 * host has characters that no host has. Canonicalization takes nearly any text for a host.
 */
export function recognizeHost(line: string): LineRecognition | null {
  if (line.includes("\0")) {
    return { code: "control-character", found: "text with NUL characters, such as UTF-16" };
  }
  if (URL_AFTER_BLANK.test(line)) {
    return { code: "several-urls", found: "text with a URL after a blank" };
  }
  const authority = AUTHORITY.exec(line)![1]!;
  // A user name may have any characters.
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return OPAQUE.test(line) ? null : oddHost(host);
}

function oddHost(host: string): LineRecognition | null {
  if (/[,;|]/.test(host)) return { code: "comma-separated", found: "a line of CSV" };
  if (host.replace(/^\*\./, "").includes("*")) {
    return { code: "wildcard", found: "a host with a wildcard" };
  }
  // Some characters do occur in the first labels of hosts, but never in the last one.
  const last = host.slice(host.lastIndexOf(".") + 1);
  return /["'()<>^`{}]/.test(host) || /[!$&+=~]/.test(last)
    ? { code: "host-character", found: "text with a character that no host has" }
    : null;
}
