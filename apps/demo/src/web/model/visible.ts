import { isPlain, spellOut, UNSAFE_CHARACTERS } from "@x/explain/printable";

/** A piece of text as it is shown: unchanged or spelled out. */
export interface VisiblePiece {
  readonly text: string;
  /** Whether the piece is the escape of one unsafe character. */
  readonly isEscape: boolean;
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

/** The unsafe characters of a text: how many there are, and the first few of them, as in `U+202E`. */
export function hiddenCharacters(text: string): { readonly count: number; readonly named: string } {
  const escapes = visiblePieces(text).filter(({ isEscape }) => isEscape);
  const names = new Set(
    escapes.map((piece) => `U+${piece.text.slice(3, -1).toUpperCase().padStart(4, "0")}`),
  );
  const named = [...names].slice(0, MOST_NAMED).join(", ");
  return { count: escapes.length, named: names.size > MOST_NAMED ? `${named}, …` : named };
}
