import { ListSourceError } from "../error.ts";

interface Beginning {
  /** Whether more text follows. */
  readonly isCut: boolean;
}

/** The problem with text that is one document instead of lines; null for lines. */
export function documentProblem(text: string, { isCut }: Beginning): ListSourceError | null {
  const start = text.trimStart();
  if (/^<(?:!doctype|!--|\?xml|[a-z])/i.test(start)) {
    return new ListSourceError(
      "html",
      start.startsWith("<?xml") ? "XML" : "HTML",
      "a list, not a page",
    );
  }
  if (!text.includes("\n") && /\r[^\r]/.test(text)) {
    return new ListSourceError(
      "carriage-returns",
      "text whose lines end in CR",
      "lines that end in LF or CRLF (convert them first)",
    );
  }
  return isJsonDocument(start, { isCut })
    ? new ListSourceError(
        "json-document",
        "one JSON document",
        'one JSON object per line (convert it first, for example with "jq -c .[]")',
      )
    : null;
}

function isJsonDocument(start: string, { isCut }: Beginning): boolean {
  if (/^\[\s*(?:[[{"]|\]\s*$)/.test(start)) return true;
  if (!/^\{\s*(?:"|$)/.test(start)) return false;
  // An object that does not end on its first line spans several lines, or is too large to be one of many records.
  const end = start.indexOf("\n");
  const first = (end < 0 ? start : start.slice(0, end)).trimEnd();
  return !first.endsWith("}") || (end < 0 && isCut);
}
