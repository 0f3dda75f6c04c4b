import { isPlain, spellOut, UNSAFE_CHARACTERS } from "@x/explain/printable";

/** A piece of text as it is shown: unchanged or spelled out. */
export interface VisiblePiece {
  readonly text: string;
  /** Whether the piece is the escape of one unsafe character. */
  readonly isEscape: boolean;
}

/** Letters that are written from right to left, with the digits and hyphens between them. */
const RIGHT_TO_LEFT =
  /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}](?:[-\d]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])*)/u;

/** Splits a text so that the words with odd indices are written from right to left. */
export function splitByDirection(text: string): readonly string[] {
  return isPlain(text) && /^[\0-\u{58f}]*$/u.test(text) ? [text] : text.split(RIGHT_TO_LEFT);
}

/**
 * Splits a text into pieces. Unsafe characters are spelled out, as in `\u{202e}`.
 *
 * @param keepsLineEnds whether LF stays unchanged.
 */
export function visiblePieces(text: string, keepsLineEnds = false): VisiblePiece[] {
  if (isPlain(text)) return text === "" ? [] : [{ text, isEscape: false }];
  const pieces: VisiblePiece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(UNSAFE_CHARACTERS)) {
    if (keepsLineEnds && character === "\n") continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isEscape: false });
    pieces.push({ text: spellOut(character), isEscape: true });
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isEscape: false });
  return pieces;
}

const MOST_NAMED = 6;

/** The number of unsafe characters in a text, and the names of the first few, such as `U+202E`. */
export function hiddenCharacters(text: string): { readonly count: number; readonly named: string } {
  const escapes = visiblePieces(text).filter(({ isEscape }) => isEscape);
  const names = new Set(
    escapes.map((piece) => `U+${piece.text.slice(3, -1).toUpperCase().padStart(4, "0")}`),
  );
  const named = [...names].slice(0, MOST_NAMED).join(", ");
  return { count: escapes.length, named: names.size > MOST_NAMED ? `${named}, …` : named };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Moves a cut so that it does not split a surrogate pair. */
export function safeCut(text: string, at: number): number {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;
}

/** Fewer characters than this are not left out: the notice in their place would take more room. */
const FEWEST_OMITTED = 40;

/**
 * Shortens a text to about `limit` code units, three quarters of them from its start. `omitted` is the number of code
 * units that are left out.
 */
export function shorten(text: string, limit: number) {
  if (text.length < limit + FEWEST_OMITTED) return { start: text, omitted: 0, end: "" };
  const start = safeCut(text, Math.ceil(limit * 0.75));
  const end = safeCut(text, text.length - Math.floor(limit * 0.25));
  return { start: text.slice(0, start), omitted: end - start, end: text.slice(end) };
}

/** The first of many items, for display, and the number of all items. */
export interface ShownOfMany<T> {
  readonly shown: readonly T[];
  readonly total: number;
}
