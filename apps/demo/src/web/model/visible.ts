/** A piece of a text as it is shown: as it is, or spelled out. */
export interface VisiblePiece {
  readonly text: string;
  /** The text stands for one character that would not show, or would move its neighbours. */
  readonly isEscape: boolean;
}

/**
 * Controls, formats, surrogates, private and unassigned characters, blanks other than the space, fillers,
 * and the fourth and later of the marks that stand above or below one letter.
 */
const UNSAFE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/** Cuts a text where characters have to be spelled out, as `\u{202e}`. */
export function visiblePieces(text: string): VisiblePiece[] {
  if (PLAIN.test(text)) return text === "" ? [] : [{ text, isEscape: false }];
  const pieces: VisiblePiece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(UNSAFE)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isEscape: false });
    pieces.push({ text: `\\u{${character.codePointAt(0)!.toString(16)}}`, isEscape: true });
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

/** A text for places that take no markup, with every unsafe character spelled out. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join("");
}
