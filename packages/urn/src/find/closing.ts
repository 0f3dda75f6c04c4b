import { APOSTROPHE, isClass, PERCENT, TRANS } from "../grammar/characters.ts";
import type { Before } from "./escape-before.ts";

/** What is before a URN or, if the URN is an entry of a list such as `urn:a:b,urn:a:c`, before the whole list. */
export interface Opening {
  readonly text: string;
  readonly kind: Before;
}

/**
 * Returns the index at which the text around a URN that starts at `start` ends it. Call the function for URNs in
 * ascending order.
 */
export type ClosingFinder = (start: number, opening: Opening) => number;

/** Delimiters that both open and close a text. RFC 2141 or RFC 8141 allows each of these characters in a URN. */
const CLOSE_THEMSELVES = ["'", "*", "~"];

/** HTML §13.5: the longest name has 31 letters. */
const CHARACTER_REFERENCE = /&(?:#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[A-Za-z][0-9A-Za-z]{1,30});/g;
/** CommonMark §6.2: underscores inside a word close nothing, and at most three in a row have a meaning. */
const UNDERSCORES = [1, 2, 3].map((count) => new RegExp(`(?<!_)_{${count},}(?![0-9A-Za-z_])`, "g"));
const PERCENT_ESCAPE = /%(?:25)*([0-9A-Fa-f]{2})/g;
const QUOTED_PRINTABLE = /=([0-9A-F]{2})/g;
/** A comma or a semicolon between two URNs, as in the values of SAML attributes. */
const LIST_SEPARATOR = /[,;](?=urn:[0-9a-z][0-9a-z-]{0,31}:[^\s"<>])/gi;

/**
 * Returns a function that finds the delimiter that ends a URN: an apostrophe, an asterisk, a tilde or underscores that
 * are also before the URN, a character reference of HTML, the `&` before the next parameter of a query, or, in escaped
 * text, an escape of a delimiter; and the comma or semicolon before the next URN of a list.
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

  return (start, { text: before, kind }) => {
    const opening = before.charAt(before.length - 1);
    const ends = [nextMatch(CHARACTER_REFERENCE, start), nextMatch(LIST_SEPARATOR, start)];
    if (kind === "underscores") {
      ends.push(nextMatch(UNDERSCORES[underscoresAtEnd(before) - 1]!, start));
    }
    if (CLOSE_THEMSELVES.includes(opening)) ends.push(nextCharacter(opening, start));
    if (opening === "=" || kind === "percent-escape") ends.push(nextCharacter("&", start));
    if (kind === "percent-escape") ends.push(nextMatch(PERCENT_ESCAPE, start));
    if (kind === "quoted-printable") ends.push(nextMatch(QUOTED_PRINTABLE, start));
    return Math.min(...ends, text.length);
  };
}

/** The number of underscores at the end of a text, from 1 to 3. */
function underscoresAtEnd(before: string): number {
  return /_{1,3}$/.exec(before)![0].length;
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
