import { foreignLine } from "@x/list-source";

const encoder = new TextEncoder();

/**
 * The code for what a text looks like instead of a URL, such as a row of a table; `null` when it may be a URL. Without
 * this check, canonicalization would turn nearly any text into a URL.
 */
export function foreignCode(text: string): string | null {
  return foreignLine(encoder.encode(text.replaceAll("\n", " ")))?.code ?? null;
}
