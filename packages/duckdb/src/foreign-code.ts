import { foreignLine } from "@x/list-source";

const encoder = new TextEncoder();

/**
 * The code for a text that looks like something other than a URL, such as a row of a table; `null` for other texts.
 * Without this check, canonicalization would turn nearly any text into a URL.
 */
export function foreignCode(text: string): string | null {
  return foreignLine(encoder.encode(text.replaceAll("\n", " ")))?.code ?? null;
}
