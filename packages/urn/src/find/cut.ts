import { escapedByte } from "../grammar/characters.ts";
import type { UrnSyntax } from "../options.ts";

/**
 * Characters that stand inside a word: the soft hyphen, the zero-width space, two hyphens that are not ASCII, and the
 * word joiner.
 */
const JOINTS = "\u00ad\u200b\u2010\u2011\u2060";

/** Whether the name in `text` that ends at `end` seems to go on. `opening` is the character before it. */
export function isCutAt(text: string, end: number, opening: string, syntax: UrnSyntax): boolean {
  const next = text.charAt(end);
  if (next === "") return false;
  if (next === "\n" || next === "\r") return "-/=".includes(text.charAt(end - 1));
  // RFC 8141 allows "~". In Markdown, it encloses text.
  if (next === "~") return syntax === "rfc2141" && opening !== "~";
  return next === "%" ? escapedByte(text, end) === -1 : JOINTS.includes(next);
}
