import { escapedByte } from "../grammar/characters.ts";
import type { UrnSyntax } from "../options.ts";

/** Characters that are invisible inside a word: the soft hyphen, zero-width characters and the word joiner. */
const INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff";
/** Hyphens, and the dashes and signs that programs put in place of one. */
const HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d";
const JOINTS = INVISIBLE + HYPHENS;

/** Whether the name in `text` that ends at `end` seems to go on. `opening` is the character before it. */
export function isCutAt(text: string, end: number, opening: string, syntax: UrnSyntax): boolean {
  const next = text.charAt(end);
  if (next === "") return false;
  if (next === "\n" || next === "\r") return "-/=".includes(text.charAt(end - 1));
  // RFC 8141 allows "~". In Markdown, it encloses text.
  if (next === "~") return syntax === "rfc2141" && opening !== "~";
  return next === "%" ? escapedByte(text, end) === -1 : JOINTS.includes(next);
}
