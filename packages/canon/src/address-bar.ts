import { DELETE, SPACE } from "./ascii.ts";
import { writtenScheme } from "./steps/url-parts.ts";
import { trimSpaces } from "./steps/whole-url.ts";

// The corrections that address bars make to text before they read it as a URL.

/**
 * Removes control characters and white space at both ends, as address bars do. With {@link isControl} as `isAtEnd`, the
 * function removes only control characters and spaces at the end, as browsers do for links on pages.
 */
export function trimBlanks(text: string, isAtEnd: typeof isBlank = isBlank): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isAtEnd(text, end - 1)) end--;
  return text.slice(start, end);
}

/** Whether the blanks at the start of a text include the control character ESC. */
export function beginsWithEscape(text: string): boolean {
  for (let i = 0; i < text.length && isBlank(text, i); i++) if (text[i] === "\x1b") return true;
  return false;
}

function isBlank(text: string, index: number): boolean {
  return (
    isControl(text, index) || (text.charCodeAt(index) > DELETE && /[\s\x85]/.test(text[index]!))
  );
}

export function isControl(text: string, index: number): boolean {
  return text.charCodeAt(index) <= SPACE;
}

/** Matches text whose beginning address bars read as a port. */
const PORT = /^[0-9]+(?:[/\\?#]|$)/;

/**
 * Matches a scheme that address bars correct, because its colon is missing or is a semicolon, or because it lacks
 * letters. Only Firefox adds letters.
 */
const MISTYPED_SCHEME =
  /^(?:http(s?)(?:;|(?=\/\/))|(?:ttp|htp)(s?)(?::|;?(?=\/\/))|(?:tp|p)(s)(?::|;?(?=\/\/)))/i;

/** Corrects a mistyped scheme as address bars do, or returns `null` if there is nothing to correct. */
export function withCorrectedScheme(text: string): string | null {
  const mistyped = MISTYPED_SCHEME.exec(text);
  if (mistyped === null) return null;
  const [written, ...ends] = mistyped;
  const rest = text.slice(written.length);
  return written.endsWith(":") && PORT.test(rest) ? null : `http${ends.join("")}:${rest}`;
}

/**
 * Adds a scheme as address bars do. The specification decides whether a text already has one (see `splitUrl`). If a
 * control character precedes `user:password@host`, `user:` is not a scheme. Without the control character, `user:`
 * would be a scheme, and the text would be refused. A single slash begins a path, not a host.
 */
export function withScheme(text: string, given: string): string {
  if (/^\/(?![/\\])/.test(text)) return text;
  const scheme = writtenScheme(text);
  const hasScheme =
    scheme !== "" &&
    !PORT.test(text.slice(scheme.length)) &&
    !(/^[^/\\?#]*@/.test(text) && writtenScheme(trimSpaces(given)) === "");
  return hasScheme ? text : `http://${withoutApostrophe(text)}`;
}

/** Removes apostrophes at the end of the host, as the address bar of Firefox does. */
function withoutApostrophe(text: string): string {
  if (!text.includes("'")) return text;
  const [authority] = /^[/\\]*[^/\\?#]*/.exec(text)!;
  const port = /:[0-9]*$/.exec(authority)?.index ?? authority.length;
  let end = port;
  while (authority[end - 1] === "'") end--;
  const isHost = end > 0 && !/[/\\@]/.test(authority[end - 1]!);
  return isHost ? text.slice(0, end) + text.slice(port) : text;
}
