import type { ListSourceError } from "../error.ts";
import { unreadable } from "./bytes.ts";

interface Beginning {
  /** Whether more text follows. */
  readonly isCut: boolean;
}

/** Why text cannot be read line by line, such as an HTML page or one JSON document; null when it can. */
export function documentProblem(text: string, { isCut }: Beginning): ListSourceError | null {
  const start = text.trimStart();
  if (/^<(?:!doctype|!--|\?xml|[a-z])/i.test(start)) {
    return unreadable("html", start.startsWith("<?xml") ? "XML" : "HTML");
  }
  const returns = text.match(/\r(?=[^\r\n])/g)?.length ?? 0;
  if (returns > text.split("\n").length - 1) return endsInCarriageReturns();
  return isJsonDocument(start, { isCut }) ? unreadable("json-document", "one JSON document") : null;
}

export function endsInCarriageReturns(): ListSourceError {
  return unreadable("carriage-returns", "text whose lines end in CR");
}

function isJsonDocument(start: string, { isCut }: Beginning): boolean {
  if (/^\[\s*(?:[[{"]|\]\s*$)/.test(start)) return true;
  if (!/^\{\s*(?:"|$)/.test(start)) return false;
  // An object that does not end on its first line either spans several lines or is too large to be one of many records.
  const end = start.indexOf("\n");
  const first = (end < 0 ? start : start.slice(0, end)).trimEnd();
  return !first.endsWith("}") || (end < 0 && isCut);
}
