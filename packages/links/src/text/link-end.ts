import { ANY_DOT, DOTS, EAST_ASIAN, INVISIBLE } from "./patterns.ts";

const INVISIBLE_CHARACTER = new RegExp(`[${INVISIBLE}]`, "u");

/** Closing brackets, which belong to a link only if they were opened in it. */
const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Text after a link that does not belong to it: an escaped character, such as a quotation mark, or a BBCode tag. */
const REFERENCE_AFTER = String.raw`&(?:quot|gt|lt|apos|nbsp|#0*39|#0*34|#x0*2[27]|#0*6[02]|#x0*3[ce]);|\\u00(?:22|27|3[ce])|\\[nrt"'](?![\w/.-])|\[/(?:url|img|link|b|i|u|code|quote)\]`;
const ESCAPED_QUOTE = "%22";

/** The start of another URL that directly follows this one and is not part of it. */
const NEXT_URL = String.raw`(?<=[,;|)\]}*~'\w.]|\]\(|[^\0-\x7f])(?:https?|hxxps?|ftp)://|[,;|](?=www\.)`;

/** Whatever may end a link. */
const STOP = new RegExp(
  String.raw`(?<next>${NEXT_URL})|(?<reference>${REFERENCE_AFTER})|(?<mark>[ \u2014${DOTS}])|[()[\]{}'|]`,
  "gi",
);

/** Punctuation and Markdown marks, which do not belong to a link that they follow. */
const TRAILING = new RegExp(String.raw`[.,;:!?'*|\\\u060c\u061b\u061f\u06d4\u0964\u0965${DOTS}]`);

/** Emoji directly after a word. After a slash, emoji are a path of their own, as in Wikipedia. */
const EMOJI_AT_END =
  /(?<=[a-z\d])(?:\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*)+$/iu;

/** The place and the URL of a link in a text. */
export interface LinkInText {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly isDefanged: boolean;
}

/** The start of a link in a run. All indices are those of the run. */
export interface LinkStart {
  readonly start: number;
  readonly hostStart: number;
  /** From here on, blanks end the link, and so do dashes and full stops. In hosts, some of them stand for a dot. */
  readonly hostEnd: number;
  /** The character before the link. */
  readonly before: string;
}

/** Returns the index at which a link ends. The time is linear in the length of the link, however long the run is. */
export function linkEnd(run: string, link: LinkStart): number {
  const { hostStart, before } = link;
  let end = firstStop(run, link);
  if (run.startsWith(ESCAPED_QUOTE, end - ESCAPED_QUOTE.length)) end -= ESCAPED_QUOTE.length;
  const emoji = EMOJI_AT_END.exec(run.slice(hostStart, end));
  if (emoji !== null) end = hostStart + emoji.index;
  return trimmedEnd(run, hostStart, end, before);
}

/** The index of the first character that does not belong to a link. */
function firstStop(run: string, { start, hostStart, hostEnd, before }: LinkStart): number {
  const open: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  STOP.lastIndex = start;
  for (let stop = STOP.exec(run); stop !== null; stop = STOP.exec(run)) {
    const { 0: found, index, groups } = stop;
    const { next, reference, mark } = groups!;
    const character = found[0]!;
    if (next !== undefined && index > hostStart) return index;
    if (reference !== undefined && index >= hostStart) return index;
    // An alternative that does not count here may hide another one.
    STOP.lastIndex = index + 1;
    if (mark !== undefined && index >= hostEnd) return index;
    // Slack writes <https://example.com|label>.
    if (character === before || (character === "|" && before === "<")) {
      if (character === "'" || character === "|") return index;
    }
    if (character in open) open[character]!++;
    const opener = CLOSERS[character];
    if (opener === undefined) continue;
    if (open[opener]! > 0) open[opener]!--;
    // This bracket is half of a defanged dot, as in `evil.]example`, or it closes a label in brackets.
    else if (
      index > hostStart &&
      /[a-z\d]/i.test(run[index + 1] ?? "") &&
      /[.\uff0e]/.test(run[index - 1]!)
    )
      continue;
    else return index;
  }
  return run.length;
}

function trimmedEnd(run: string, hostStart: number, from: number, before: string): number {
  let end = from;
  const counts: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  for (let i = hostStart; i < end; i++) {
    const character = run[i]!;
    if (character in counts) counts[character]!++;
    else if (character in CLOSERS) counts[CLOSERS[character]!]!--;
  }
  while (end > hostStart) {
    const last = run[end - 1]!;
    if (last in counts) {
      if (counts[last]! <= 0) break;
      counts[last]!--;
    } else if (!isTrailing(run, end - 1, last, before)) break;
    end--;
  }
  return end;
}

function isTrailing(run: string, at: number, last: string, before: string): boolean {
  if (TRAILING.test(last)) return true;
  if (last === "_" || last === "~") return before === last || run[at - 1] === last;
  return INVISIBLE_CHARACTER.test(last);
}

const EAST_ASIAN_CHARACTER = new RegExp(`[${EAST_ASIAN}]`);
/**
 * A host directly before a character that does not belong to it: a Chinese, Japanese or Korean character, or
 * punctuation, as in `https://a.example's`.
 */
export const ASCII_HOST_BEFORE: RegExp = new RegExp(
  `^[^/?#]*?${ANY_DOT}[a-z]{2,}(?=[${EAST_ASIAN}\\uff0e\\uff61',;!*&|])`,
  "i",
);

/**
 * The index at which Chinese, Japanese or Korean text follows the path of a link without a blank; `null` if there is
 * none. Such text may also belong to the path.
 */
export function startOfGlued(run: string, hostEnd: number, end: number): number | null {
  const at = run.slice(hostEnd, end).search(EAST_ASIAN_CHARACTER);
  // The path up to a slash is judged with the whole path.
  return at < 1 || run.charAt(hostEnd + at - 1) === "/" ? null : hostEnd + at;
}
