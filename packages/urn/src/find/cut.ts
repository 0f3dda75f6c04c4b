import { escapedByte } from "../grammar/characters.ts";
import type { UrnSyntax } from "../options.ts";

/** Characters that are invisible inside a word: the soft hyphen, zero-width characters and the word joiner. */
const INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff";
/** Hyphens, and the dashes and signs that programs use in place of a hyphen. */
const HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d";
/** Programs and people write an ellipsis in place of the rest of a name. */
const ELLIPSIS = "\u2026";
const DOTS = "...";
const LAST_CODE_POINT = 0x10ffff;
const JOINTS = INVISIBLE + HYPHENS + ELLIPSIS;
/** HTML §13.5: the character references of joints and of the ellipsis. Only `&shy` needs no semicolon. */
const REFERENCE_OF_JOINT =
  /&(?:shy|(?:ZeroWidthSpace|Negative(?:VeryThin|Thin|Medium|Thick)Space|zwn?j|NoBreak|hellip|mldr|hyphen|n?dash|minus|#(?:([0-9]{1,7})|[Xx]([0-9A-Fa-f]{1,6})));)/y;

/** Whether the name in `text` that ends at `end` seems to go on. `opening` is the character before the URN. */
export function isCutAt(text: string, end: number, opening: string, syntax: UrnSyntax): boolean {
  // The dots may already have been left out as punctuation at the end of the URN.
  if (text.startsWith(DOTS, end) || text.startsWith(DOTS, end - DOTS.length)) return true;
  const next = text.charAt(end);
  if (next === "") return false;
  if (next === "\n" || next === "\r") return "-/=".includes(text.charAt(end - 1));
  // RFC 8141 allows "~". In Markdown, tildes enclose text.
  if (next === "~") return syntax === "rfc2141" && opening !== "~";
  if (next === "&") return isReferenceOfJoint(text, end);
  return next === "%" ? escapedByte(text, end) === -1 : JOINTS.includes(next);
}

function isReferenceOfJoint(text: string, at: number): boolean {
  REFERENCE_OF_JOINT.lastIndex = at;
  const match = REFERENCE_OF_JOINT.exec(text);
  if (match === null) return false;
  const [, decimal, hexadecimal] = match;
  if (decimal === undefined && hexadecimal === undefined) return true;
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return JOINTS.includes(String.fromCodePoint(Math.min(code, LAST_CODE_POINT)));
}
