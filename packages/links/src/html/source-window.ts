/** The part of an arriving text that is still needed. Indices are those of the whole text. */
export interface SourceWindow {
  readonly add: (piece: string) => void;
  readonly slice: (start: number, end: number) => string;
  /** The index after the last character that has arrived. */
  readonly end: () => number;
  readonly dropBefore: (index: number) => void;
}

export function sourceWindow(): SourceWindow {
  let kept = "";
  let start = 0;
  return {
    add(piece) {
      kept += piece;
    },
    slice: (from, to) => kept.slice(from - start, to - start),
    end: () => start + kept.length,
    dropBefore(index) {
      kept = kept.slice(index - start);
      start = index;
    },
  };
}
