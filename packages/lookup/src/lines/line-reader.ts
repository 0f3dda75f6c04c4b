import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { countLineEndings, endOfWholeLines, type LineBlock, MAX_LINE_BYTES } from "./line.ts";

/**
 * The maximum number of bytes kept of an unfinished line. No line that is checked is longer, even with a byte order
 * mark before it and a CR after it.
 */
const MAX_KEPT_BYTES = MAX_LINE_BYTES + 5;

/** Turns the chunks of a file into blocks of whole lines. */
export interface LineReader {
  /**
   * Takes the next chunk of the file, and returns the lines that end in it. The block may be a view of `piece`, so use
   * it before you overwrite `piece`. An unfinished line is copied and comes with a later block.
   *
   * @throws TypeError when `piece` is not a `Uint8Array`.
   */
  push(piece: Uint8Array): LineBlock;
  /** Returns a block with the last line of the file if that line has no line ending, and otherwise an empty block. */
  end(): LineBlock;
}

/**
 * Reads a file of any size in chunks of any size, and returns blocks of whole lines for `scan` and `linesIn`.
 *
 * If an unfinished line is longer than {@link MAX_LINE_BYTES}, the reader keeps only its beginning, which is still too
 * long.
 *
 * @param firstLine the index of the first line that will be pushed. The default, 0, is the start of the file.
 * @throws TypeError when `firstLine` is not a number; RangeError when it is not a whole number, 0 or more.
 * @example
 * ```ts
 * import { lineReader, linesIn } from "@x/lookup/lines";
 *
 * const bytes = new TextEncoder().encode("a.example\nb.example");
 * const reader = lineReader();
 * const blocks = [reader.push(bytes.subarray(0, 12)), reader.push(bytes.subarray(12)), reader.end()];
 * blocks.flatMap((block) => [...linesIn(block)]).map(({ line }) => line); // → [0, 1]
 * ```
 */
export function lineReader(firstLine = 0): LineReader {
  if (typeof firstLine !== "number") throw typeError("firstLine", "a number", firstLine);
  if (!Number.isSafeInteger(firstLine) || firstLine < 0) {
    throw new RangeError(`firstLine must be a whole number, 0 or more, not ${firstLine}`);
  }
  let nextLine = firstLine;
  /** The kept part of the unfinished line, the length of that part, and the length of the line so far. */
  let kept = new Uint8Array(0);
  let keptBytes = 0;
  let openBytes = 0;

  function keep(piece: Uint8Array): void {
    openBytes += piece.length;
    const length = Math.min(keptBytes + piece.length, MAX_KEPT_BYTES);
    if (length > kept.length) {
      const larger = new Uint8Array(Math.max(length, Math.min(2 * kept.length, MAX_KEPT_BYTES)));
      larger.set(kept.subarray(0, keptBytes));
      kept = larger;
    }
    kept.set(piece.subarray(0, length - keptBytes), keptBytes);
    keptBytes = length;
  }

  /** A block of the kept bytes and the bytes after them. */
  function blockOf(bytes: Uint8Array, lines: number): LineBlock {
    const block = { bytes: withKept(bytes), firstLine: nextLine, lines };
    keptBytes = 0;
    openBytes = 0;
    nextLine += lines;
    return block;
  }

  function withKept(bytes: Uint8Array): Uint8Array {
    if (keptBytes === 0) return bytes;
    const whole = new Uint8Array(keptBytes + bytes.length);
    whole.set(kept.subarray(0, keptBytes));
    whole.set(bytes, keptBytes);
    return whole;
  }

  return {
    push(piece) {
      if (!isUint8Array(piece)) throw typeError("piece", "a Uint8Array", piece);
      const end = endOfWholeLines(piece, 0, piece.length);
      const whole = piece.subarray(0, end);
      const block =
        end === 0
          ? { bytes: whole, firstLine: nextLine, lines: 0 }
          : blockOf(whole, countLineEndings(whole));
      keep(piece.subarray(end));
      return block;
    },
    end: () => blockOf(new Uint8Array(0), openBytes > 0 ? 1 : 0),
  };
}
