import { ROW_VERDICTS, type RowVerdict } from "../row.ts";

/** The place of a line in the checked bytes, and its verdict. */
export interface LineEntry {
  /** The number of the line, from 1. Blank lines count. */
  readonly line: number;
  /** The index of the first byte of the line. */
  readonly start: number;
  /** The index after the last byte of the line. */
  readonly end: number;
  readonly verdict: RowVerdict;
}

const FIRST_CAPACITY = 1024;

/** All checked lines, in 13 bytes each. */
export function lineTable() {
  let size = 0;
  let numbers = new Uint32Array(FIRST_CAPACITY * 3);
  let verdicts = new Uint8Array(FIRST_CAPACITY);

  function grow(): void {
    const [smallNumbers, smallVerdicts] = [numbers, verdicts];
    numbers = new Uint32Array(2 * smallNumbers.length);
    verdicts = new Uint8Array(2 * smallVerdicts.length);
    numbers.set(smallNumbers);
    verdicts.set(smallVerdicts);
  }

  const verdictAt = (index: number): RowVerdict => ROW_VERDICTS[verdicts[index]!]!;
  return {
    size: () => size,
    add({ line, start, end, verdict }: LineEntry): void {
      if (size === verdicts.length) grow();
      numbers.set([line, start, end], 3 * size);
      verdicts[size] = ROW_VERDICTS.indexOf(verdict);
      size++;
    },
    at(index: number): LineEntry {
      const [line, start, end] = numbers.subarray(3 * index, 3 * index + 3);
      return { line: line!, start: start!, end: end!, verdict: verdictAt(index) };
    },
    verdictAt,
  };
}
