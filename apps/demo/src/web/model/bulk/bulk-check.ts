import { chanceOfFalseMatch, checker } from "@x/lookup";
import { lineReader } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import type { EngineChoice } from "../engine.ts";
import type { Row, RowVerdict } from "../row.ts";
import { judge } from "../row-verdict.ts";
import { lineTable } from "./line-table.ts";
import { tally } from "./tally.ts";

export interface BulkLists {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
}

export type BulkCheck = ReturnType<typeof bulkCheck>;

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
 * A check of many lines, piece by piece. The check keeps the bytes, and the place and verdict of each line. Rows are
 * made only when they are needed.
 */
export function bulkCheck(
  bytes: Uint8Array,
  { lists, safeLists }: BulkLists,
  engine: EngineChoice,
) {
  const { engine: running, scan, checkMany } = checker(lists, { engine, safeLists });
  const judged = judge({ checkMany });
  const reader = lineReader();
  const lines = lineTable();
  const hits = tally();
  const counts: Record<RowVerdict, number> = {
    listed: 0,
    disguised: 0,
    "not-listed": 0,
    "not-a-url": 0,
  };
  let done = 0;
  let milliseconds = 0;

  /** Checks the next piece. Returns whether there are more pieces. */
  function checkNext(): boolean {
    const started = performance.now();
    const end = endOfPiece(bytes, done);
    // `end` returns the last line if it has no line ending.
    for (const block of [reader.push(bytes.subarray(done, end)), reader.end()]) {
      for (const found of scan(block, { all: true }).findings) {
        const input = block.bytes.subarray(found.start, found.end);
        const line = found.line + 1;
        const { verdict, toRecord } = judged(input, found);
        lines.add({ line, start: done + found.start, end: done + found.end, verdict });
        counts[verdict]++;
        if (verdict === "listed") hits.add({ line, ...toRecord() });
      }
    }
    done = end;
    milliseconds += performance.now() - started;
    return done < bytes.length;
  }

  /** The bytes of a line, exactly as in the input. */
  function bytesAt(index: number): Uint8Array {
    const { start, end } = lines.at(index);
    return bytes.subarray(start, end);
  }

  return {
    engine: running,
    lines,
    tally: hits,
    counts,
    /** The share of harmless URLs that are listed by chance. */
    chance: chanceOfFalseMatch(lists),
    /** How many bytes there are in all. */
    total: bytes.length,
    /** How many bytes have been checked. */
    done: () => done,
    /** The time that checking has taken so far, in milliseconds. */
    milliseconds: () => milliseconds,
    checkNext,
    rowAt(index: number): Row {
      const input = bytesAt(index);
      const { line } = lines.at(index);
      // Even the first line is not read as the start of a file. Otherwise, its byte order mark would be removed.
      const [found] = scan({ bytes: input, firstLine: line, lines: 1 }, { all: true }).findings;
      return { line, ...judged(input, found!).toRecord() };
    },
    bytesAt,
  };
}
