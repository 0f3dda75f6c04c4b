import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * The maximum length of a line that is checked: 2 MiB, which is also the length of the longest URL that Chromium
 * accepts.
 */
export const MAX_LINE_BYTES: number = 2 ** 21;

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
export interface LineCursor {
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

export function countLineEndings(bytes: Uint8Array): number {
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
