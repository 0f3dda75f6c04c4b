import { readSync } from "node:fs";
import { type LineBlock, lineReader } from "@x/lookup/lines";

/** How much is read at a time after a range, until its last line ends. */
const STEP_BYTES = 2 ** 16;
const LINE_FEED = 0x0a;

export interface RangeStart {
  /** The index of the first byte of the range, which is the first of a line. */
  readonly start: number;
  /** The number of lines before it. */
  readonly linesBefore: number;
}

/** Whole lines of a file. */
export interface Range {
  readonly blocks: readonly LineBlock[];
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
 * Reads the lines that start in the `buffer.length` bytes from `start` on, at least one line. The blocks are views
 * of `buffer`. Of a line that is too long, only a beginning is kept.
 *
 * @param size the length of the file in bytes.
 */
export function readRange(
  fd: number,
  size: number,
  { start, linesBefore }: RangeStart,
  buffer: Uint8Array,
): Range {
  let end = Math.min(start + buffer.length, size);
  const piece = buffer.subarray(0, end - start);
  readFully(fd, piece, start);
  const reader = lineReader(linesBefore);
  const blocks = [reader.push(piece)];
  while (end < size && reader.openBytes() > 0) {
    const step = new Uint8Array(Math.min(STEP_BYTES, size - end));
    readFully(fd, step, end);
    const lineEnd = step.indexOf(LINE_FEED);
    const rest = lineEnd < 0 ? step : step.subarray(0, lineEnd + 1);
    const block = reader.push(rest);
    // Of a line that is too long, the reader keeps the beginning, and nothing else need be kept.
    if (block.lines > 0) blocks.push(block);
    end += rest.length;
  }
  blocks.push(reader.end());
  const lines = blocks.reduce((sum, block) => sum + block.lines, 0);
  return { blocks, next: { start: end, linesBefore: linesBefore + lines } };
}
