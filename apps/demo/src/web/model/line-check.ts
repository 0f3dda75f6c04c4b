import { chanceOfFalseMatch, checker } from "@x/lookup";
import { lineReader } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import { judge } from "./row-verdict.ts";
import { NO_COUNTS, type Row, type RowVerdict } from "./verdicts.ts";

export interface CheckLists {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
}

/** A check of many URLs, which makes rows only when they are needed. */
export interface Check {
  readonly counts: Readonly<Record<RowVerdict, number>>;
  /** The share of harmless URLs that are listed by chance. */
  readonly chance: number;
  readonly total: number;
  done(): number;
  size(): number;
  /** Checks the next piece. Returns whether there are more pieces. */
  checkNext(): boolean;
  verdictAt(index: number): RowVerdict;
  rowAt(index: number): Row;
}

const PIECE_BYTES = 2 ** 16;
const LINE_FEED = 0x0a;

/** The end of the piece that starts at `start`. A piece ends at the end of a line. */
function endOfPiece(bytes: Uint8Array, start: number): number {
  const last = Math.min(start + PIECE_BYTES, bytes.length);
  const within = bytes.subarray(start, last).lastIndexOf(LINE_FEED);
  if (within >= 0) return start + within + 1;
  const after = bytes.indexOf(LINE_FEED, last);
  return after < 0 ? bytes.length : after + 1;
}

/**
 * Whether a text has one URL on each line, except for one line in ten. Any other text is a message in which links are
 * searched. Only the start of a large file is read.
 */
export function isOneUrlPerLine(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, PIECE_BYTES));
  const whole = bytes.length > PIECE_BYTES ? start.slice(0, start.lastIndexOf("\n") + 1) : start;
  const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== "");
  const likely = lines.filter(
    (line) => /[^.]\.[^.]|:\/\//.test(line) && !/\S\s+\S|[<>"]|\]\(/.test(line),
  );
  return lines.length > 1 && likely.length >= 0.9 * lines.length;
}

/** A check of one URL per line. It keeps the bytes, and the place and the verdict of each line. */
export function lineCheck(bytes: Uint8Array, { lists, safeLists }: CheckLists): Check {
  const { scan, checkMany } = checker(lists, { safeLists });
  const judged = judge({ checkMany });
  const reader = lineReader();
  // For each line: its number from 1 (blank lines count), its start and its end. A row is made only when it is shown.
  const places: number[] = [];
  const verdicts: RowVerdict[] = [];
  const counts: Record<RowVerdict, number> = { ...NO_COUNTS };
  let done = 0;
  return {
    counts,
    chance: chanceOfFalseMatch(lists),
    total: bytes.length,
    done: () => done,
    size: () => verdicts.length,
    verdictAt: (index) => verdicts[index]!,
    checkNext() {
      const end = endOfPiece(bytes, done);
      // `end` returns the last line if it has no line ending.
      for (const block of [reader.push(bytes.subarray(done, end)), reader.end()]) {
        for (const found of scan(block, { all: true }).verdicts) {
          const { verdict } = judged(block.bytes.subarray(found.start, found.end), found);
          places.push(found.line + 1, done + found.start, done + found.end);
          verdicts.push(verdict);
          counts[verdict]++;
        }
      }
      done = end;
      return done < bytes.length;
    },
    rowAt(index) {
      const [line, start, end] = places.slice(3 * index, 3 * index + 3) as [number, number, number];
      const input = bytes.subarray(start, end);
      // Even the first line is not read as the start of a file. Otherwise, its byte order mark would be removed.
      const [found] = scan({ bytes: input, firstLine: line, lines: 1 }, { all: true }).verdicts;
      return { line, ...judged(input, found!).toRecord() };
    },
  };
}
