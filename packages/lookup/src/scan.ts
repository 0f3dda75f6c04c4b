import { FILL_BYTES } from "./batch/reading-batch.ts";
import { MAX_URLS, type UrlBatch } from "./batch/url-batch.ts";
import {
  beforeLines,
  endOfWholeLines,
  type LineBlock,
  type LineCursor,
  nextLine,
} from "./lines/line.ts";
import {
  type LineProblem,
  type LineVerdict,
  NOT_LISTED,
  notChecked,
  type UrlVerdict,
} from "./verdict.ts";

/** Which lines a scan reports. */
export interface ScanOptions {
  /** Reports every line that is not blank. By default, URLs that are on no list are left out. */
  readonly all?: boolean | undefined;
}

/** The result of a scan. */
export interface ScanResult {
  /** The number of lines, including blank ones. */
  readonly lines: number;
  /** The number of lines that are not blank. */
  readonly checked: number;
  /** The verdicts on lines that are on a list or are not URLs, or on all lines that are not blank, in their order. */
  readonly findings: readonly LineVerdict[];
}

const TOO_LONG: LineProblem = Object.freeze({ code: "line-too-long", index: null });

/**
 * Checks lines where they stand, in blocks of whole lines that fit into the batch. No string is made of a line
 * that is a canonical URL.
 */
export function scanLines(
  batch: UrlBatch,
  lines: Uint8Array | LineBlock,
  all: boolean,
): ScanResult {
  const { bytes, cursor } = beforeLines(lines);
  const firstLine = cursor.count;
  const findings: LineVerdict[] = [];
  const waiting = waitingLines();
  let checked = 0;
  /** The bytes from `filled` to `filledEnd` are in the batch. */
  let filled = 0;
  let filledEnd = 0;

  const finish = () => {
    const count = batch.count();
    checked += count;
    const found = batch.finish();
    if (all) {
      for (let url = 0, next = 0; url < count; url++) {
        const verdict = found[next]?.index === url ? found[next++]! : NOT_LISTED;
        findings.push(waiting.verdict(url, verdict));
      }
    } else {
      for (const verdict of found) findings.push(waiting.verdict(verdict.index, verdict));
    }
  };

  while (nextLine(bytes, cursor)) {
    const { line, start, end } = cursor;
    if (cursor.isTooLong) {
      finish();
      checked++;
      findings.push({ line, start, end, ...notChecked(TOO_LONG) });
      continue;
    }
    if (end > filledEnd) {
      finish();
      filled = start;
      filledEnd = endOfBlock(bytes, start);
      batch.fill(bytes.subarray(filled, filledEnd));
    }
    waiting.set(batch.count(), cursor);
    if (end <= filledEnd) batch.addFilled(start - filled, end - filled);
    else batch.add(bytes.subarray(start, end));
    if (batch.isFull()) finish();
  }
  finish();
  return { lines: cursor.count - firstLine, checked, findings };
}

/** Where the URLs of a batch stand. */
function waitingLines() {
  const lines = new Float64Array(MAX_URLS);
  const starts = new Float64Array(MAX_URLS);
  const ends = new Float64Array(MAX_URLS);
  return {
    set(url: number, { line, start, end }: LineCursor): void {
      lines[url] = line;
      starts[url] = start;
      ends[url] = end;
    },
    verdict: (url: number, { matches, safeMatches, error }: UrlVerdict): LineVerdict => ({
      line: lines[url]!,
      start: starts[url]!,
      end: ends[url]!,
      matches,
      safeMatches,
      error,
    }),
  };
}

/** The end of the last line from `start` on that fits into a batch; `start` when not even one does. */
function endOfBlock(bytes: Uint8Array, start: number): number {
  const most = start + FILL_BYTES;
  return bytes.length <= most ? bytes.length : endOfWholeLines(bytes, start, most);
}
