/**
 * The longest line that is kept whole: 2 MiB, as long as the longest URL that Chromium takes. Of a longer one
 * the beginning is kept, for messages.
 */
export const MAX_LINE_BYTES: number = 2 ** 21;
const KEPT_BYTES = 256;
/** With the CR of a CRLF, which is known only when the LF has come. */
const MAX_OPEN_BYTES = MAX_LINE_BYTES + 1;

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** One line that is not blank. */
export interface Line {
  /** From 1; blank lines count too. */
  readonly number: number;
  /** The octets as they are, without the line break; a view, good until the next piece is pushed. */
  readonly octets: Uint8Array;
  /** The line is longer than {@link MAX_LINE_BYTES}, and `octets` is its beginning. */
  readonly isTooLong: boolean;
}

/** Cuts pieces of a file, given one after the other, into lines. */
export interface LineSplitter {
  /** The lines that end in the piece. */
  readonly push: (piece: Uint8Array) => Line[];
  /** The last line, when it does not end in a line break. */
  readonly end: () => Line[];
  /** The number of the last line that has ended. */
  readonly count: () => number;
}

/** As the scan of `@x/lookup` has it. */
function isBlank(octets: Uint8Array): boolean {
  return octets.every((octet) => octet === SPACE || octet === TAB || octet === CR);
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    whole.set(piece, length);
    length += piece.length;
  }
  return whole;
}

/**
 * Lines end in LF or CRLF. Blank lines are left out, and so is a byte order mark at the start of a file.
 *
 * @param linesBefore the lines that stand before the first piece; 0 when it is the start of the file.
 */
export function lineSplitter(linesBefore = 0): LineSplitter {
  let count = linesBefore;
  /** The beginning of a line that has not ended, in pieces. */
  let open: Uint8Array[] = [];
  let openBytes = 0;

  const keep = (piece: Uint8Array): void => {
    if (openBytes <= MAX_OPEN_BYTES) open.push(piece.slice());
    openBytes += piece.length;
    if (openBytes > MAX_OPEN_BYTES) open = [concat(open).subarray(0, KEPT_BYTES)];
  };
  const finish = (piece: Uint8Array, lines: Line[]): void => {
    let octets = piece;
    let isCut = false;
    if (openBytes > 0) {
      keep(piece);
      octets = concat(open);
      isCut = openBytes > MAX_OPEN_BYTES;
      open = [];
      openBytes = 0;
    }
    if (octets[octets.length - 1] === CR) octets = octets.subarray(0, -1);
    if (count === 0 && BYTE_ORDER_MARK.every((octet, i) => octets[i] === octet)) {
      octets = octets.subarray(BYTE_ORDER_MARK.length);
    }
    count++;
    const isTooLong = isCut || octets.length > MAX_LINE_BYTES;
    if (!isTooLong && isBlank(octets)) return;
    lines.push({
      number: count,
      octets: isTooLong ? octets.subarray(0, KEPT_BYTES) : octets,
      isTooLong,
    });
  };

  return {
    push(piece) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, start)) {
        finish(piece.subarray(start, end), lines);
        start = end + 1;
      }
      if (start < piece.length) keep(piece.subarray(start));
      return lines;
    },
    end() {
      const lines: Line[] = [];
      if (openBytes > 0) finish(new Uint8Array(0), lines);
      return lines;
    },
    count: () => count,
  };
}

/** The lines of a whole file. */
export function linesOf(octets: Uint8Array): Line[] {
  const splitter = lineSplitter();
  return [...splitter.push(octets), ...splitter.end()];
}
