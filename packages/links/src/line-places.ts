/** A place in a text. Lines and columns count from 1. */
export interface LinePlace {
  readonly line: number;
  /** The column in UTF-16 code units, as editors count them. */
  readonly column: number;
}

/** Finds the lines and columns of indices in a text that arrives in pieces. */
export interface LinePlaces {
  readonly add: (piece: string) => void;
  /** The place of an index in the text so far, which must be among its last four million code units. */
  readonly placeOf: (index: number) => LinePlace;
}

/** Line starts are kept for this many code units. Every link is reported before that many more have arrived. */
const KEPT = 4_194_304;

/**
 * Turns the indices of links into lines and columns. Lines end in LF. For text that arrives in pieces, memory use is
 * bounded.
 *
 * @param text the whole text, if it is known already.
 * @example
 * ```ts
 * import { findLinks, linePlaces } from "@x/links";
 *
 * const text = "First line\nsee a.example/b";
 * const lines = linePlaces(text);
 * findLinks(text).map(({ start }) => lines.placeOf(start)); // → [{ line: 2, column: 5 }]
 * ```
 */
export function linePlaces(text?: string): LinePlaces {
  /** The indices where lines start, from line `first` on. */
  let starts = [0];
  let first = 1;
  let length = 0;
  let total = 0;
  const addLines = (piece: string): void => {
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) {
      starts.push(total + at + 1);
    }
    total += piece.length;
  };
  if (text !== undefined) addLines(text);
  return {
    add(piece) {
      addLines(piece);
      if (starts.length - length < 65_536) return;
      const drop = indexOfLine(starts, total - KEPT);
      starts = starts.slice(drop);
      first += drop;
      length = starts.length;
    },
    placeOf(index) {
      const line = indexOfLine(starts, index);
      return { line: first + line, column: index - starts[line]! + 1 };
    },
  };
}

/** The index in `starts` of the last start that is not after `index`; 0 if there is none. */
function indexOfLine(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= index) low = middle;
    else high = middle;
  }
  return low;
}
