import { type Batch, FILL_BYTES, MAX_URLS } from "./batch/batch.ts";
import { beforeLines, endOfWholeLines, type LineBlock, nextLine } from "./line-reader.ts";
import { type LineProblem, type LineVerdict, NOT_LISTED, type UrlVerdict } from "./verdict.ts";

/** The choice of lines that a scan reports. */
export interface ScanOptions {
  /**
   * Whether to report every line that is not blank. By default, lines that are on no list and have no error are left
   * out.
   */
  readonly all?: boolean | undefined;
}

/** The result of a scan. */
export interface ScanResult {
  /** The number of lines, including blank ones. */
  readonly lines: number;
  /** The number of lines that are not blank. */
  readonly checked: number;
  /** The number of lines that are on a list, not counting safe lists. */
  readonly listed: number;
  /** The number of lines without a verdict, because they have an error. */
  readonly refused: number;
  /**
   * The verdicts, in the order of the lines. By default, only lines that are on a list, including safe lists, or have
   * an error have a verdict. With `all`, all lines that are not blank have one.
   */
  readonly verdicts: readonly LineVerdict[];
}

const TOO_LONG: LineProblem = Object.freeze({ code: "line-too-long", index: null });

/**
 * Checks lines in blocks of whole lines that fit into the batch. A line that is a canonical URL never becomes a string.
 */
export function scanLines(batch: Batch, lines: Uint8Array | LineBlock, all: boolean): ScanResult {
  const { bytes, cursor } = beforeLines(lines);
  const firstLine = cursor.count;
  const verdicts: LineVerdict[] = [];
  /** The index, start and end of each line in the batch. */
  const places = new Float64Array(3 * MAX_URLS);
  let checked = 0;
  let listed = 0;
  let refused = 0;
  /** The bytes from `filled` to `filledEnd` are in the batch. */
  let filled = 0;
  let filledEnd = 0;

  const finish = () => {
    const finished = batch.finish();
    checked += finished.length;
    for (let i = 0; i < finished.length; i++) {
      const verdict = finished[i]!;
      if (!all && (verdict === NOT_LISTED || isNotListed(verdict))) continue;
      const { matches, safeMatches, error, readings } = verdict;
      if (error !== null) refused++;
      else if (matches.length > 0) listed++;
      const line = places[3 * i]!;
      const start = places[3 * i + 1]!;
      const end = places[3 * i + 2]!;
      verdicts.push({ line, start, end, matches, safeMatches, error, readings });
    }
  };

  while (nextLine(bytes, cursor)) {
    const { line, start, end } = cursor;
    if (cursor.isTooLong) {
      finish();
      checked++;
      refused++;
      verdicts.push({ line, start, end, ...NOT_LISTED, error: TOO_LONG });
      continue;
    }
    if (end > filledEnd) {
      finish();
      filled = start;
      filledEnd = endOfBlock(bytes, start);
      batch.fill(bytes.subarray(filled, filledEnd));
    }
    const place = 3 * batch.count();
    places[place] = line;
    places[place + 1] = start;
    places[place + 2] = end;
    if (end <= filledEnd) batch.addFilled(start - filled, end - filled);
    else batch.add(bytes.subarray(start, end));
    if (batch.isFull()) finish();
  }
  finish();
  return { lines: cursor.count - firstLine, checked, listed, refused, verdicts };
}

function isNotListed({ matches, safeMatches, error }: UrlVerdict): boolean {
  return error === null && matches.length === 0 && safeMatches.length === 0;
}

/** The end of the last line after `start` that fits into the batch, or `start` when not even one line fits. */
function endOfBlock(bytes: Uint8Array, start: number): number {
  const most = start + FILL_BYTES;
  return bytes.length <= most ? bytes.length : endOfWholeLines(bytes, start, most);
}
