import { isPlain, spellOut, UNSAFE } from "../../text/unsafe-characters.ts";

/** A piece of a text as it is shown: as it is, or spelled out. */
export interface VisiblePiece {
  readonly text: string;
  /** The text stands for one character that would not show, or would move its neighbours. */
  readonly isEscape: boolean;
}

/**
 * Cuts a text where characters have to be spelled out, as `\u{202e}`.
 *
 * @param keepsLineEnds whether LF stays what it is.
 */
export function visiblePieces(text: string, keepsLineEnds = false): VisiblePiece[] {
  if (isPlain(text)) return text === "" ? [] : [{ text, isEscape: false }];
  const pieces: VisiblePiece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(UNSAFE)) {
    if (keepsLineEnds && character === "\n") continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isEscape: false });
    pieces.push({ text: spellOut(character), isEscape: true });
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isEscape: false });
  return pieces;
}

const MOST_NAMED = 6;

/** The characters of a text that have to be spelled out, each once, as `U+202E`; the first few of them. */
export function hiddenCharacters(text: string): { readonly count: number; readonly named: string } {
  const escapes = visiblePieces(text).filter(({ isEscape }) => isEscape);
  const names = new Set(
    escapes.map((piece) => `U+${piece.text.slice(3, -1).toUpperCase().padStart(4, "0")}`),
  );
  const named = [...names].slice(0, MOST_NAMED).join(", ");
  return { count: escapes.length, named: names.size > MOST_NAMED ? `${named}, …` : named };
}
