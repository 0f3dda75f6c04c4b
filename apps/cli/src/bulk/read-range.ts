import { readSync } from "node:fs";
import { type LineBlock, lineReader } from "@x/lookup/lines";

/** How much of a line that is longer than the buffer is read at a time. */
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
  readonly block: LineBlock;
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
 * Reads whole lines from `start` on: as many as fit into `buffer`, at least one. The block may be a view of `buffer`.
 * Only the beginning of a line that is too long is kept.
 *
 * @param size the length of the file in bytes.
 */
export function readRange(
  fd: number,
  size: number,
  { start, linesBefore }: RangeStart,
  buffer: Uint8Array,
): Range {
  const piece = buffer.subarray(0, Math.min(buffer.length, size - start));
  readFully(fd, piece, start);
  const reader = lineReader(linesBefore);
  let block = reader.push(piece);
  let end = start + (block.lines > 0 ? block.bytes.length : piece.length);
  while (block.lines === 0 && end < size) {
    const step = new Uint8Array(Math.min(STEP_BYTES, size - end));
    readFully(fd, step, end);
    const lineEnd = step.indexOf(LINE_FEED);
    const rest = lineEnd < 0 ? step : step.subarray(0, lineEnd + 1);
    block = reader.push(rest);
    end += rest.length;
  }
  // The last line of a file may have no line ending.
  if (block.lines === 0) block = reader.end();
  return { block, next: { start: end, linesBefore: linesBefore + block.lines } };
}
