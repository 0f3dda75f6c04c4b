import { foreignLine } from "@x/list-source";

const encoder = new TextEncoder();

/**
 * What a text looks like instead of a URL, such as a row of a table. Canonicalization would make a URL of nearly every
 * text.
 */
export function foreignCode(text: string): string | null {
  return foreignLine(encoder.encode(text.replaceAll("\n", " ")))?.code ?? null;
}
