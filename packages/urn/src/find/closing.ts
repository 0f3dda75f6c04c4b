import { APOSTROPHE, isClass, PERCENT, TRANS } from "../grammar/characters.ts";
import type { Before } from "./escape-before.ts";

/**
 * Returns the index at which the text around a URN ends it. The arguments are the start of the URN, the character
 * before it, and the kind of text to which that character belongs. Call the function for URNs in ascending order.
 */
export type ClosingFinder = (start: number, opening: string, before: Before) => number;

/** Delimiters that both open and close a text. RFC 2141 or RFC 8141 allows each of these characters in a URN. */
const CLOSE_THEMSELVES = ["'", "*", "~"];

/** HTML §13.5: the longest name has 31 letters. */
const CHARACTER_REFERENCE = /&(?:#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[A-Za-z][0-9A-Za-z]{1,30});/g;
/** CommonMark §6.2: underscores inside a word close nothing, and at most three in a row have a meaning. */
const UNDERSCORES = [1, 2, 3].map((count) => new RegExp(`(?<!_)_{${count},}(?![0-9A-Za-z_])`, "g"));
const PERCENT_ESCAPE = /%(?:25)*([0-9A-Fa-f]{2})/g;
const QUOTED_PRINTABLE = /=([0-9A-F]{2})/g;

/**
 * Returns a function that finds the delimiter that ends a URN: an apostrophe, an asterisk, a tilde or underscores that
 * are also before the URN, a character reference of HTML, the `&` before the next parameter of a query, or, in escaped
 * text, an escape of a delimiter.
 */
export function closingFinder(text: string): ClosingFinder {
  // Each search goes on where the last one ended, so all searches together read the text once for each pattern.
  const places = new Map<string, number>();
  const next = (name: string, from: number, search: (from: number) => number): number => {
    let place = places.get(name) ?? -1;
    if (place < from) {
      place = search(from);
      places.set(name, place === -1 ? Infinity : place);
    }
    return place === -1 ? Infinity : place;
  };
  const nextCharacter = (character: string, from: number) =>
    next(character, from, (start) => text.indexOf(character, start));
  const nextMatch = (pattern: RegExp, from: number) =>
    next(pattern.source, from, (start) => searchFrom(pattern, text, start));

  return (start, opening, before) => {
    const ends = [nextMatch(CHARACTER_REFERENCE, start)];
    if (before === "underscores") {
      ends.push(nextMatch(UNDERSCORES[underscoresBefore(text, start) - 1]!, start));
    }
    if (CLOSE_THEMSELVES.includes(opening)) ends.push(nextCharacter(opening, start));
    if (opening === "=" || before === "percent-escape") ends.push(nextCharacter("&", start));
    if (before === "percent-escape") ends.push(nextMatch(PERCENT_ESCAPE, start));
    if (before === "quoted-printable") ends.push(nextMatch(QUOTED_PRINTABLE, start));
    return Math.min(...ends, text.length);
  };
}

/** The number of underscores before an index, from 1 to 3. */
function underscoresBefore(text: string, at: number): number {
  let count = 1;
  while (count < UNDERSCORES.length && text[at - count - 1] === "_") count++;
  return count;
}

/** The index of the first match from `start` on that ends a URN, or -1. */
function searchFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  for (;;) {
    const match = pattern.exec(text);
    if (match === null) return -1;
    if (match[1] === undefined || isDelimiter(Number.parseInt(match[1], 16))) return match.index;
  }
}

/** Whether an escaped byte ends a URN, because it is an apostrophe or a character that RFC 2141 §2.4 excludes. */
function isDelimiter(byte: number): boolean {
  return byte === APOSTROPHE || !(isClass(byte, TRANS) || byte === PERCENT);
}
