import { type Expression, exactExpression } from "@x/expressions";

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** An entry of a list and the URLs that it stands for. */
export interface Entry {
  /** The expression whose hash is published. */
  readonly expression: Expression;
  /** The URL as it is listed and, if different, its canonical form. */
  readonly urls: readonly [string, ...string[]];
}

/**
 * The entry for a URL, or for an expression or a host without a scheme.
 *
 * @throws CanonError of `@x/canon`, when `text` is not a URL with a host.
 */
export function entryOf(text: string): Entry {
  const expression = exactExpression(text);
  const trimmed = text.replace(/^ +/, "");
  const url = SCHEME.test(trimmed) ? trimmed : `http://${trimmed}`;
  const canonical = reachable(expression);
  return { expression, urls: url === canonical ? [url] : [url, canonical] };
}

/** The canonical URL, with backslashes in its path escaped because browsers would read them as slashes. */
function reachable(expression: Expression): string {
  return `http://${expression.replace(/^[^?]*/, (path) => path.replaceAll("\\", "%5C"))}`;
}

const LABEL = "(?!xn--)[a-z][a-z0-9_-]{0,62}";
const SEGMENT = String.raw`\/(?![/.])[\w.~!$&()*+,;=:@-]*`;
const QUERY = String.raw`\?[\w.~!$&()*+,;=:@?-]+`;
const PLAIN = new RegExp(
  String.raw`^(?:https?:\/\/)?${LABEL}(?:\.${LABEL})*(?:(?:${SEGMENT})+(?:${QUERY})?)?$`,
);
const MAX_LENGTH = 1000;

/**
 * Whether all clients look up the same text for the URL of an entry, because nothing in it is decoded,
 * resolved or dropped. Nearly all entries are plain, and the rules of each client need not be applied to plain entries.
 */
export function isPlain(entry: string): boolean {
  return entry.length <= MAX_LENGTH && PLAIN.test(entry);
}

/**
 * The ways in which the text that a client looks up can differ from the expression of the entry, as codes and
 * sentences.
 */
const SENTENCES = {
  "lower-case-escapes": "It writes escapes in lower case",
  "escapes-kept": "It does not decode all escapes",
  "ipv6-written-otherwise": "It writes IPv6 addresses differently",
  "other-address": "It reads the numbers in the host differently",
  "other-host": "It reads the host differently",
  "fragment-kept": "It keeps the fragment",
  "port-kept": "It treats the port as a folder",
  "dot-segments-kept": "It does not resolve all dot segments",
  "slashes-kept": "It keeps repeated slashes",
  "other-path": "It reads the path differently",
} as const;

/** A code for the difference between the text that a client looks up and the expression of the entry. */
export type DifferenceCode = keyof typeof SENTENCES;

/** Returns the reason why a client that looks up `text` for a URL does not find the expression of the same URL. */
export function differenceOf(
  expression: string,
  text: string,
): { code: DifferenceCode; reason: string } {
  const code = codeOf(expression, text);
  return { code, reason: `${SENTENCES[code]}, and looks up ${text}` };
}

function codeOf(expression: string, text: string): DifferenceCode {
  const [host, path] = splitHost(expression);
  const [otherHost, otherPath] = splitHost(text);
  if (host !== otherHost) {
    if (host.startsWith("[")) return "ipv6-written-otherwise";
    return /^[0-9.]+$/.test(host) || /^[0-9.]+$/.test(otherHost) ? "other-address" : "other-host";
  }
  if (path.toLowerCase() === otherPath.toLowerCase()) return "lower-case-escapes";
  if (/^\/[0-9]+(\/|$)/.test(otherPath) && !path.startsWith(otherPath.slice(0, 2)))
    return "port-kept";
  if (otherPath.includes("%23") && !path.includes("%23")) return "fragment-kept";
  const folders = otherPath.split("?", 1)[0]!;
  if (/\/\.\.?(\/|$)/.test(folders)) return "dot-segments-kept";
  if (folders.includes("//")) return "slashes-kept";
  return otherPath.includes("%25") ? "escapes-kept" : "other-path";
}

function splitHost(text: string): [string, string] {
  const slash = text.indexOf("/");
  return [text.slice(0, slash), text.slice(slash)];
}
