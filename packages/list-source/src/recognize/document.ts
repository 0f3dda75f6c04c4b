import type { ListSourceError } from "../error.ts";
import { unreadable } from "./bytes.ts";

/** Why text cannot be read at all, such as an HTML page; null when it can. */
export function documentProblem(text: string): ListSourceError | null {
  const start = text.trimStart();
  if (/^<(?:!doctype|!--|\?xml|[a-z])/i.test(start)) {
    return unreadable("html", start.startsWith("<?xml") ? "XML" : "HTML");
  }
  const returns = text.match(/\r(?=[^\r\n])/g)?.length ?? 0;
  return returns > text.split("\n").length - 1 ? endsInCarriageReturns() : null;
}

export function endsInCarriageReturns(): ListSourceError {
  return unreadable("carriage-returns", "text whose lines end in CR");
}

/**
 * Whether text is one JSON document: an array, an object over several lines, or a single object. Objects on lines of
 * their own are records.
 */
export function isJsonDocument(start: string): boolean {
  // TOML has heads of sections such as `[[allow]]`.
  if (/^\[\s*(?:[{"]|\[\s*(?:[[\]{"0-9-]|(?:true|false|null)\b)|\]\s*$)/.test(start)) return true;
  if (!/^\{\s*(?:"|$)/.test(start)) return false;
  // An object that does not end on its first line either spans several lines or is too large to be one of many records.
  const end = start.indexOf("\n");
  const first = (end < 0 ? start : start.slice(0, end)).trimEnd();
  if (!first.endsWith("}")) return true;
  return end < 0 || start.slice(end).trim() === "";
}
