/** The longest line that is taken whole: 2 MiB. */
export const MAX_LINE_BYTES: number = 2 ** 21;

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** One line that is not blank. */
export interface Line {
  /** From 1; blank lines count too. */
  readonly number: number;
  /** Without the line break. */
  readonly octets: Uint8Array;
  /** Where the next line starts. */
  readonly next: number;
}

const isBlank = (octets: Uint8Array): boolean =>
  octets.every((octet) => octet === SPACE || octet === TAB || octet === CR);

/**
 * The lines of a file as the command line takes them: they end in LF or CRLF; blank ones are left out, and
 * so is a byte order mark at the start.
 */
export function* linesOf(octets: Uint8Array): Generator<Line, void> {
  let start = BYTE_ORDER_MARK.every((octet, i) => octets[i] === octet) ? BYTE_ORDER_MARK.length : 0;
  for (let number = 1; start < octets.length; number++) {
    const found = octets.indexOf(LF, start);
    const end = found < 0 ? octets.length : found;
    const isCrLf = end > start && octets[end - 1] === CR;
    const line = octets.subarray(start, isCrLf ? end - 1 : end);
    start = end + 1;
    if (!isBlank(line)) yield { number, octets: line, next: Math.min(start, octets.length) };
  }
}
