import { lookAlike } from "./letters.ts";

/** Digits and letters of ASCII that look like others. */
export const FOLDED_CHARACTERS: Readonly<Record<string, string>> = {
  0: "o",
  1: "l",
  2: "z",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  8: "b",
  9: "g",
  i: "l",
  y: "v",
};

/** Letters with strokes, which Unicode does not decompose. */
const STROKED: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ħ: "h",
  ŧ: "t",
  ƀ: "b",
};
const MARKS = /\p{M}+/gu;
const MAY_CHANGE = /[^a-hj-xz6-]|rn|vv|cl/;
const NON_ASCII = /[^\0-\x7f]/;

/**
 * What people could read in a label: letters of other scripts and letters with marks become those of ASCII, and
 * characters that look alike become the same one. Two labels that look alike are folded to the same text.
 *
 * @param label a label in its own letters, in lower case.
 */
export function folded(label: string): string {
  if (!MAY_CHANGE.test(label)) return label;
  const paired = asciiLike(label).replaceAll("rn", "m").replaceAll("vv", "w");
  return foldedCharacters(paired).replaceAll("cl", "d");
}

/**
 * The same as `folded`, except that pairs of characters do not become one: the text has as many characters as before.
 */
export function foldedAlone(label: string): string {
  return MAY_CHANGE.test(label) ? foldedCharacters(asciiLike(label)) : label;
}

function foldedCharacters(label: string): string {
  let text = "";
  for (const character of label) text += FOLDED_CHARACTERS[character] ?? character;
  return text;
}

function asciiLike(label: string): string {
  if (!NON_ASCII.test(label)) return label;
  let text = "";
  for (const character of label.normalize("NFD").replace(MARKS, "")) {
    text += lookAlike(character)?.like ?? STROKED[character] ?? character;
  }
  return text;
}
