/** A range of indices. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text from which some places were cut out. */
export interface CutText {
  readonly text: string;
  /** The index in the whole text of a character at which something starts, or after which it ends. */
  readonly toSource: (index: number, isEnd: boolean) => number;
}

/** @param places The places to cut out, in order. */
export function cutText(text: string, places: readonly Place[]): CutText {
  /** For each piece that is kept: its index in the result, and in the whole text. */
  const pieces: { readonly at: number; readonly source: number }[] = [];
  let kept = "";
  let from = 0;
  for (const { start, end } of [...places, { start: text.length, end: text.length }]) {
    if (start > from || pieces.length === 0) pieces.push({ at: kept.length, source: from });
    kept += text.slice(from, start);
    from = end;
  }
  const map = (index: number): number => {
    let low = 0;
    let high = pieces.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (pieces[middle]!.at <= index) low = middle;
      else high = middle;
    }
    return pieces[low]!.source + index - pieces[low]!.at;
  };
  return {
    text: kept,
    toSource: (index, isEnd) => (isEnd && index > 0 ? map(index - 1) + 1 : map(index)),
  };
}
