import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";

/**
 * The maximum length of a line that is checked: 2 MiB, which is also the length of the longest URL that Chromium
 * accepts.
 */
export const MAX_LINE_BYTES: number = 2 ** 21;

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

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Whole lines of a file. */
export interface LineBlock {
  /** The lines with their line endings. The last line of a file may have no line ending. */
  readonly bytes: Uint8Array;
  /** The index of the first of these lines in the file, from 0. */
  readonly firstLine: number;
  /** The number of lines, including blank ones. */
  readonly lines: number;
}

/** One line that is not blank. */
export interface Line {
  /** The index of the line in the file, from 0. Blank lines count. */
  readonly line: number;
  /** The index in `bytes` where the line starts. */
  readonly start: number;
  /** The index in `bytes` where the line ends, not counting its line ending. */
  readonly end: number;
  /** Whether the line is longer than {@link MAX_LINE_BYTES}. */
  readonly isTooLong: boolean;
}

/** The place of a line in some bytes. {@link nextLine} moves the cursor to the next line, and allocates no memory. */
interface LineCursor {
  line: number;
  start: number;
  end: number;
  isTooLong: boolean;
  /** The index where the next line starts. */
  next: number;
  /** The length of the byte order mark at `next`, if there is one. */
  mark: number;
  /** The number of lines before `next`, including blank ones and those of earlier blocks. */
  count: number;
}

/** The bytes of a whole file or of a block, and a cursor before their first line. */
export function beforeLines(lines: Uint8Array | LineBlock): {
  readonly bytes: Uint8Array;
  readonly cursor: LineCursor;
} {
  const { bytes, firstLine } = isUint8Array(lines) ? { bytes: lines, firstLine: 0 } : (lines ?? {});
  if (!isUint8Array(bytes) || !Number.isSafeInteger(firstLine)) {
    throw typeError("lines", "a Uint8Array or a LineBlock", lines);
  }
  const mark = firstLine === 0 && startsWithByteOrderMark(bytes) ? BYTE_ORDER_MARK.length : 0;
  const cursor = { line: 0, start: 0, end: 0, isTooLong: false, next: 0, mark, count: firstLine };
  return { bytes, cursor };
}

/**
 * Moves the cursor to the next line that is not blank, or returns `false` when there is none.
 *
 * Lines end in LF or CR LF. A blank line is empty or contains only spaces, TABs and CRs, which canonicalization removes
 * from the ends of a URL.
 */
export function nextLine(bytes: Uint8Array, cursor: LineCursor): boolean {
  while (cursor.next < bytes.length) {
    const start = cursor.next + cursor.mark;
    cursor.mark = 0;
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    let end = lineFeed < 0 ? bytes.length : lineFeed;
    cursor.next = lineFeed < 0 ? bytes.length : lineFeed + 1;
    if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end--;
    cursor.line = cursor.count++;
    cursor.isTooLong = end - start > MAX_LINE_BYTES;
    if (!cursor.isTooLong && isBlank(bytes, start, end)) continue;
    cursor.start = start;
    cursor.end = end;
    return true;
  }
  return false;
}

/** The index after the last line ending before `end`, or `from` when no line ends after `from`. */
export function endOfWholeLines(bytes: Uint8Array, from: number, end: number): number {
  const lineFeed = end > from ? bytes.lastIndexOf(LINE_FEED, end - 1) : -1;
  return Math.max(from, lineFeed + 1);
}

function countLineEndings(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** Whether bytes start with a byte order mark, which would become part of the first line's scheme or host. */
function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte);
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}

/**
 * The lines of a file, or of a block from {@link lineReader}, without the blank ones.
 *
 * Lines end in LF or CR LF. A blank line is empty or contains only spaces, TABs and CRs. Blank lines count in the
 * indices of the other lines. A byte order mark at the start of a file is not part of its first line.
 *
 * @throws TypeError when `lines` is neither a `Uint8Array` nor a `LineBlock`.
 * @example
 * ```ts
 * import { linesIn } from "@x/lookup/lines";
 *
 * const bytes = new TextEncoder().encode("a.example\r\n\r\nb.example");
 * const lines = [...linesIn(bytes)];
 * lines.map(({ line, start, end }) => [line, start, end]); // → [[0, 0, 9], [2, 13, 22]]
 * ```
 */
export function* linesIn(lines: Uint8Array | LineBlock): Generator<Line, void, undefined> {
  const { bytes, cursor } = beforeLines(lines);
  while (nextLine(bytes, cursor)) {
    const { line, start, end, isTooLong } = cursor;
    yield { line, start, end, isTooLong };
  }
}
