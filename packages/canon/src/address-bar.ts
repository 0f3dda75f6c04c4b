import { DELETE, SPACE } from "./ascii.ts";
import { writtenScheme } from "./steps/url-parts.ts";
import { trimSpaces } from "./steps/whole-url.ts";

// What address bars correct in a text before they read it as a URL.

/**
 * Removes controls and white space at both ends, as address bars do; if `isAtEnd` is {@link isControl}, only controls and
 * spaces at the end, as pages do.
 */
export function trimBlanks(text: string, isAtEnd: typeof isBlank = isBlank): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isAtEnd(text, end - 1)) end--;
  return text.slice(start, end);
}

/** Whether there is an escape character among the blanks at the start of a text. */
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

/** A port, as address bars find it. */
const PORT = /^[0-9]+(?:[/\\?#]|$)/;

/**
 * A scheme that address bars correct: one with a semicolon or nothing instead of its colon, or one with missing letters
 * that Firefox adds.
 */
const MISTYPED_SCHEME =
  /^(?:http(s?)(?:;|(?=\/\/))|(?:ttp|htp)(s?)(?::|;?(?=\/\/))|(?:tp|p)(s)(?::|;?(?=\/\/)))/i;

/** A text with its mistyped scheme corrected, as an address bar corrects it; `null` if there is nothing to correct. */
export function withCorrectedScheme(text: string): string | null {
  const mistyped = MISTYPED_SCHEME.exec(text);
  if (mistyped === null) return null;
  const [written, ...ends] = mistyped;
  const rest = text.slice(written.length);
  return written.endsWith(":") && PORT.test(rest) ? null : `http${ends.join("")}:${rest}`;
}

/**
 * A text with the scheme that address bars add. The specification decides whether a text has a scheme (see `splitUrl`). A
 * user and password after a control have none, although without the control they would be an error. One slash begins a
 * path, not a host.
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

/** A text without apostrophes at the end of its host: the address bar of Firefox removes them. */
function withoutApostrophe(text: string): string {
  if (!text.includes("'")) return text;
  const [authority] = /^[/\\]*[^/\\?#]*/.exec(text)!;
  const port = /:[0-9]*$/.exec(authority)?.index ?? authority.length;
  let end = port;
  while (authority[end - 1] === "'") end--;
  const isHost = end > 0 && !/[/\\@]/.test(authority[end - 1]!);
  return isHost ? text.slice(0, end) + text.slice(port) : text;
}
