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
