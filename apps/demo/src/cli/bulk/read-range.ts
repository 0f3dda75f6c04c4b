import { readSync } from "node:fs";
import { type Line, lineSplitter } from "../../lines.ts";

/** What is read beyond a range, at a time, until its last line ends. */
const STEP_BYTES = 2 ** 16;
const LF = 0x0a;

export interface RangeStart {
  /** The octet at which the range starts: the first of a line. */
  readonly start: number;
  /** The lines before it. */
  readonly linesBefore: number;
}

/** Whole lines of a file. */
export interface Range {
  /** Cuts the range into its lines: what takes most of the time, and can be done beside other threads. */
  readonly lines: () => Line[];
  /** Where the next range starts. */
  readonly next: RangeStart;
}

function readFully(fd: number, into: Uint8Array, position: number): void {
  for (let used = 0; used < into.length; ) {
    const read = readSync(fd, into, used, into.length - used, position + used);
    if (read === 0) throw new Error("it became shorter while it was read");
    used += read;
  }
}

function countLines(piece: Uint8Array): number {
  let count = 0;
  for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) count++;
  return count;
}

/**
 * Reads the lines of which the first octet is among the `buffer.length` octets from `start` on, or at least
 * one line. The lines are views of `buffer`.
 *
 * @param size the octets of the file.
 */
export function readRange(
  fd: number,
  size: number,
  { start, linesBefore }: RangeStart,
  buffer: Uint8Array,
): Range {
  let end = Math.min(start + buffer.length, size);
  let piece = buffer.subarray(0, end - start);
  readFully(fd, piece, start);
  const pieces = [piece];
  while (end < size && piece[piece.length - 1] !== LF) {
    piece = new Uint8Array(Math.min(STEP_BYTES, size - end));
    readFully(fd, piece, end);
    const lineEnd = piece.indexOf(LF);
    if (lineEnd >= 0) piece = piece.subarray(0, lineEnd + 1);
    pieces.push(piece);
    end += piece.length;
  }
  const isOpen = piece[piece.length - 1] !== LF;
  const count = pieces.reduce((sum, one) => sum + countLines(one), isOpen ? 1 : 0);
  return {
    lines() {
      const splitter = lineSplitter(linesBefore);
      const lines = pieces.flatMap((one) => splitter.push(one));
      return lines.concat(splitter.end());
    },
    next: { start: end, linesBefore: linesBefore + count },
  };
}
