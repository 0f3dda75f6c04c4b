import { escapeBytes } from "@x/canon/bytes";
import { type ClientTexts, hostsAbove, noTexts, toByteString } from "./texts.ts";

/** ClamAV truncates longer links when it reads HTML. */
const MAX_BYTES = 1024;
const SCHEME = /^(?:https?|ftp):\/\//;
const MAX_LABELS = 5;
const MAX_FOLDERS = 4;

/**
 * Reads a link in HTML email as ClamAV does with a `.gdb` file. ClamAV differs from the specification in many ways:
 *
 * - a URL needs the scheme `http`, `https` or `ftp`, in lower case;
 * - IP addresses are treated as names: numbers are not converted, and `3.4/` is looked up for `1.2.3.4`;
 * - names are not converted to Punycode, and extra dots in the middle or at the end of a host stay;
 * - the host ends at the first colon, slash or question mark, and everything after it is the path, so a
 *   port is the first folder;
 * - fragments stay, as `%23…`; `//` stays; `.` and `..` are resolved in one pass that misses some of them;
 * - an escape that is made up of other escapes (`%%32%35`) stays;
 * - a slash in the query also ends a folder, and a path without a query has up to four folders besides the root.
 *
 * The HTML parser of ClamAV is not covered here. The parser turns `'` into `"`, and the result for non-ASCII characters
 * depends on the encoding of the email.
 *
 * These rules were measured on ClamAV 1.4.6, with the hashes that `clamscan --debug` reports.
 */
export function readAsClamav(url: string): ClientTexts {
  const bytes = toByteString(url).slice(0, MAX_BYTES);
  const scheme = SCHEME.exec(bytes);
  if (scheme === null) return noTexts("no-scheme");
  const authority = bytes.slice(scheme[0].length).replace(/^\/+/, "");
  const at = authority.slice(0, endOfHost(authority)).indexOf("@");
  const unescaped = unescapeInPasses(authority.slice(at + 1));
  const text = escapeBytes(resolveOnce(unescaped.replace(/^\/*\.*/, "")));
  const end = endOfHost(text);
  const host = text.slice(0, end).toLowerCase();
  const path = text.slice(end + 1);
  const texts = new Set<string>();
  for (const suffix of [host, ...hostsAbove(host, MAX_LABELS)]) {
    for (const prefix of pathPrefixes(path)) texts.add(`${suffix}/${prefix}`);
  }
  return { exact: `${host}/${path}`, texts: [...texts], problem: null };
}

function endOfHost(text: string): number {
  const end = text.search(/[:/?]/);
  return end < 0 ? text.length : end;
}

/** Decodes escapes in passes, until a pass gives no new percent sign. A decoded NUL becomes U+0001. */
function unescapeInPasses(text: string): string {
  let current = text;
  for (;;) {
    let isAgain = false;
    current = current.replace(/%([0-9A-Fa-f]{2})/g, (_, digits, index) => {
      const code = Number.parseInt(digits, 16) || 1;
      if (code === 0x25 && index > 0) isAgain = true;
      return String.fromCharCode(code);
    });
    if (!isAgain) return current;
  }
}

/** Removes `/./` and `/name/../` in one pass, which continues after the removed part. */
function resolveOnce(given: string): string {
  let text = given;
  let last = text.indexOf("/");
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith("/./", i)) {
      text = text.slice(0, i + 1) + text.slice(i + 3);
    } else if (text.startsWith("/../", i)) {
      text = text.slice(0, last + 1) + text.slice(i + 4);
    } else if (text.startsWith("/..", i) && i + 3 === text.length) {
      text = text.slice(0, last);
    }
    if (text[i] === "/") last = i;
  }
  return text;
}

/**
 * The path prefixes that ClamAV looks up: the path, the path without its query, the empty prefix, and the folders.
 * Folders without a name are skipped.
 */
function pathPrefixes(path: string): string[] {
  if (path === "") return [""];
  const query = path.indexOf("?");
  const prefixes = query < 0 ? [path, ""] : [path, path.slice(0, query), ""];
  const most = query < 0 ? MAX_FOLDERS : MAX_FOLDERS - 1;
  let end = 0;
  for (let folders = 0; folders < most; folders++) {
    const slash = path.indexOf("/", end + 1);
    if (slash < 0) break;
    end = slash + 1;
    prefixes.push(path.slice(0, end));
  }
  return prefixes;
}
