import { INVISIBLE } from "./patterns.ts";

const INVISIBLE_CHARACTER = new RegExp(`[${INVISIBLE}]`, "u");

/** Closing brackets, which belong to a link only if they were opened in it. */
const CLOSERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Text after a link that does not belong to it: an escaped character, such as a quotation mark, or a BBCode tag. */
const REFERENCE_AFTER =
  /&(?:quot|gt|lt|apos|nbsp|#0*39|#0*34|#x0*2[27]|#0*6[02]|#x0*3[ce]);|\\u00(?:22|27|3[ce])|\\[nrt"'](?![\w/.-])|%22(?=>|$)|\[\/(?:url|img|link|b|i|u|code|quote)\]/i;

/** The start of another URL that directly follows this one and is not part of it. */
const NEXT_URL = /(?<=[,;|)\]}*'\w.\u2014\u3002\uff61])(?:https?|hxxps?|ftp):\/\/|[,;|](?=www\.)/gi;

const AUTHORITY_END = /[/?#\\]/;

/** Punctuation that ends a link after its host. In hosts, some of it stands for a dot. */
const MARK = /[\u2014\u3002\uff61]/;

/** Punctuation and Markdown marks, which do not belong to a link that they follow. */
const TRAILING = /[.,;:!?'*|\\\u060c\u061b\u061f\u06d4\u0964\u0965\u3002\uff61]/;

/** Emoji directly after a word. After a slash, emoji are a path of their own, as in Wikipedia. */
const EMOJI_AT_END =
  /(?<=[a-z\d])(?:\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*)+$/iu;

/**
 * Returns the index at which a link ends. `run` is text without blanks in which the link starts at `from` and its host
 * at `hostStart`. `before` is the character before the link.
 */
export function linkEnd(run: string, from: number, hostStart: number, before: string): number {
  NEXT_URL.lastIndex = hostStart + 1;
  // The next URL is found first, so that the rest of a long run is not searched again for each link in it.
  let end = NEXT_URL.exec(run)?.index ?? run.length;
  const first = (pattern: RegExp, from: number): number => {
    const at = run.slice(from, end).search(pattern);
    return at === -1 ? end : from + at;
  };
  end = first(MARK, first(AUTHORITY_END, hostStart));
  end = first(REFERENCE_AFTER, hostStart);
  if (before === "'" || before === "|") {
    const closing = run.indexOf(before, from);
    if (closing !== -1) end = Math.min(end, closing);
  }
  if (before === "<") {
    // Slack writes <https://example.com|label>.
    const bar = run.indexOf("|", from);
    if (bar !== -1) end = Math.min(end, bar);
  }
  end = bracketEnd(run, from, hostStart, end);
  const emoji = EMOJI_AT_END.exec(run.slice(hostStart, end));
  if (emoji !== null) end = hostStart + emoji.index;
  return trimmedEnd(run, hostStart, end, before);
}

/** The index of the first bracket that closes a bracket before the link; `end` if there is none. */
function bracketEnd(run: string, from: number, hostStart: number, end: number): number {
  const open: Record<string, number> = { "(": 0, "[": 0, "{": 0 };
  for (let i = from; i < end; i++) {
    const character = run[i]!;
    if (character in open) open[character]!++;
    const opener = CLOSERS[character];
    if (opener === undefined) continue;
    if (open[opener]! > 0) open[opener]!--;
    // This bracket is half of a defanged dot, as in `evil.]example`, or it closes a label in brackets.
    else if (i > hostStart && /[a-z\d]/i.test(run[i + 1] ?? "") && /[.\uff0e]/.test(run[i - 1]!))
      continue;
    else return i;
  }
  return end;
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
