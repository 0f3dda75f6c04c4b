import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isTerminal, startProgress as startLine, timeLeft } from "@x/command-line/node";
import { counted, formatCount } from "@x/explain/counted";
import type { Io } from "../context.ts";
import type { Block } from "./results.ts";

/** A progress line on stderr. There is no line when stderr is not a terminal, or for work that is done soon. */
export interface Progress {
  /**
   * Advances the line. Call this function before a block is written: the line is erased if the block goes to the
   * terminal, too.
   */
  readonly advance: (block: Pick<Block, "bytes" | "out" | "errors"> & Partial<Block>) => void;
  readonly stop: () => void;
}

/** A progress line for a database, which counts rows and learns their total only while it works. */
export interface RowProgress extends Progress {
  /** Sets the number of rows that were read, and of all rows to read. The line starts when there are rows to read. */
  readonly reach: (rows: number, total: number) => void;
}

const MEGABYTE = 1e6;

/** How long the work takes before there is a line, in milliseconds. */
const SHOWN_AFTER = 500;

/** The size in bytes of a file or, for `-`, of stdin; `null` when the size is not known. */
export async function sizeOf(file: string, { stdin }: Io): Promise<number | null> {
  try {
    const { fd } = stdin as { fd?: number };
    if (file === "-" && fd === undefined) return null;
    const stats = file === "-" ? fstatSync(fd!) : await stat(file);
    return stats.isFile() ? stats.size : null;
  } catch {
    // The function that reads the file will report the problem.
    return null;
  }
}

/** @param total the number of bytes that will be read; with `null`, there is no line. */
export function startProgress(total: number | null, io: Io): Progress {
  const line = startLine(io);
  const began = performance.now();
  let bytes = 0;
  let inputs = 0;
  return {
    advance(block) {
      if (total === null) return;
      bytes += block.bytes;
      inputs += block.inputs ?? 0;
      const size = `${(total / MEGABYTE).toFixed(1)} MB`;
      if (isShown(block, io)) line.erase();
      else if (isLong(began)) {
        line.show("", () => described(total === 0 ? 1 : bytes / total, size, inputs, began));
      }
    },
    stop: () => line.erase(),
  };
}

/** Starts a line for a database. */
export function startRowProgress(io: Io): RowProgress {
  const line = startLine(io);
  const began = performance.now();
  return {
    advance(block) {
      if (isShown(block, io)) line.erase();
    },
    reach(rows, total) {
      if (total === 0 || !isLong(began)) return;
      line.show("", () => described(rows / total, counted(total, "row", "rows"), rows, began));
    },
    stop: () => line.erase(),
  };
}

/** Whether the work that began at this time takes long enough for a line. */
function isLong(since: number): boolean {
  return performance.now() - since >= SHOWN_AFTER;
}

/** @param since when the work began, by `performance.now()`. */
function described(share: number, size: string, inputs: number, since: number): string {
  const perSecond = Math.round((1000 * inputs) / (performance.now() - since));
  const rate = inputs === 0 ? "" : `, ${formatCount(perSecond)} per second`;
  return `${Math.floor(100 * Math.min(share, 1))}% of ${size}${rate}${timeLeft(share, since)}`;
}

/** Whether a block is written to the terminal that shows the line. */
function isShown({ out, errors }: Pick<Block, "out" | "errors">, { stdout }: Io): boolean {
  return errors !== "" || (isTerminal(stdout) && out.length > 0);
}
