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
  readonly lines: Line[];
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
  const splitter = lineSplitter(linesBefore);
  let end = Math.min(start + buffer.length, size);
  let piece = buffer.subarray(0, end - start);
  readFully(fd, piece, start);
  const lines = splitter.push(piece);
  while (end < size && piece[piece.length - 1] !== LF) {
    piece = new Uint8Array(Math.min(STEP_BYTES, size - end));
    readFully(fd, piece, end);
    const lineEnd = piece.indexOf(LF);
    if (lineEnd >= 0) piece = piece.subarray(0, lineEnd + 1);
    lines.push(...splitter.push(piece));
    end += piece.length;
  }
  lines.push(...splitter.end());
  return { lines, next: { start: end, linesBefore: splitter.count() } };
}
