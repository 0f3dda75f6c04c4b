import { ListSourceError, type RefusalCode } from "./problems.ts";

/** The maximum length of a line in bytes. Only the beginning of a longer line is kept, for messages. */
export const MAX_LINE_BYTES: number = 2 ** 21;
const KEPT_BYTES = 256;
export const ENDS_IN_RETURNS: string = "text whose lines end in CR";
/** The number of bytes that are decoded at once, so that many lines share the cost of one call to the decoder. */
const BLOCK_BYTES = 2 ** 16;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Characters that are not allowed in any format. U+FFFD stands for bytes that are not UTF-8. */
const BAD_CHARACTER = /[\0-\x08\x0b-\x1f\x7f\ufffd]/;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Called for each line, with a code when no format can read the line, otherwise with null. The last line of
 * a source may have no line end.
 */
export type OnLine = (text: string, problem: RefusalCode | null, hasEnd: boolean) => void;

/** Splits bytes, pushed in chunks, into lines of text. */
export interface LineCutter {
  push(bytes: Uint8Array): void;
  /** Ends the last line. */
  end(): void;
}

/**
 * Lines end in LF or CRLF. A byte order mark at the start of any line is removed, because files are often concatenated.
 * The lines do not depend on how the bytes are split into chunks.
 */
export function lineCutter(onLine: OnLine): LineCutter {
  // Not `fatal`, because throwing an exception for each bad line of a hostile file could take minutes.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const open = openLine();
  let hasEnd = true;

  /** Reads whole lines, each with its LF. */
  function readLines(bytes: Uint8Array): void {
    if (bytes.length - 1 > MAX_LINE_BYTES) {
      // Lines that end in CR cannot be counted here, because only the beginning of this long line was kept.
      if (bytes.subarray(0, MAX_LINE_BYTES).includes(CARRIAGE_RETURN)) {
        throw new ListSourceError("carriage-returns", ENDS_IN_RETURNS);
      }
      onLine(decoder.decode(bytes.subarray(0, KEPT_BYTES)), "line-too-long", hasEnd);
      return;
    }
    const text = decoder.decode(bytes).replaceAll("\r\n", "\n");
    const isPlain = !BAD_CHARACTER.test(text) && !text.includes(BYTE_ORDER_MARK);
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf("\n", start);
      const line = text.slice(start, end);
      if (isPlain) onLine(line, null, hasEnd);
      else readUnusualLine(line);
      start = end + 1;
    }
  }

  function readUnusualLine(line: string): void {
    const text = line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    const bad = BAD_CHARACTER.exec(text)?.[0];
    if (bad === undefined) onLine(text, null, hasEnd);
    else if (text.includes("\r")) onLine(text, "carriage-return", hasEnd);
    else onLine(text, bad === "\ufffd" ? "not-utf-8" : "control-character", hasEnd);
  }

  return {
    push(bytes) {
      let start = 0;
      if (!open.isEmpty()) {
        start = bytes.indexOf(LINE_FEED) + 1;
        open.add(start === 0 ? bytes : bytes.subarray(0, start));
        if (start === 0) return;
        readLines(open.take());
      }
      const stop = bytes.lastIndexOf(LINE_FEED) + 1;
      while (start < stop) {
        const end = endOfBlock(bytes, start, stop);
        readLines(bytes.subarray(start, end));
        start = end;
      }
      open.add(bytes.subarray(start));
    },
    end() {
      if (open.isEmpty()) return;
      open.add(Uint8Array.of(LINE_FEED));
      const line = open.take();
      hasEnd = line.at(-2) === CARRIAGE_RETURN;
      readLines(line);
    },
  };
}

/** Where a block of whole lines ends. A block is longer than {@link BLOCK_BYTES} only if it is a single line. */
function endOfBlock(bytes: Uint8Array, start: number, stop: number): number {
  if (stop - start <= BLOCK_BYTES) return stop;
  const last = bytes.lastIndexOf(LINE_FEED, start + BLOCK_BYTES - 1);
  return (last >= start ? last : bytes.indexOf(LINE_FEED, start + BLOCK_BYTES)) + 1;
}

/** Keeps the beginning of an unfinished line. The buffer grows at most to the maximum length of a line. */
function openLine() {
  // One byte more than the longest allowed line and its LF, so that a line that is too long can be recognized.
  const most = MAX_LINE_BYTES + 2;
  let buffer = new Uint8Array(256);
  let length = 0;
  return {
    isEmpty: (): boolean => length === 0,
    add(piece: Uint8Array): void {
      const end = Math.min(length + piece.length, most);
      if (end > buffer.length) {
        const larger = new Uint8Array(Math.min(Math.max(end, 2 * buffer.length), most));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(piece.subarray(0, end - length), length);
      length = end;
    },
    /** Returns the line, which is valid until more bytes are added. */
    take(): Uint8Array {
      const line = buffer.subarray(0, length);
      length = 0;
      return line;
    },
  };
}
