import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { counted, formatCount } from "@x/explain/counted";
import type { SingleBar } from "cli-progress";
import type { Io } from "../context.ts";
import type { Block } from "./results.ts";

/** A progress bar on stderr. There is no bar when stderr is not a terminal. */
export interface Progress {
  /**
   * Advances the bar. Call this function before a block is written: the bar is erased if the block goes to the
   * terminal, too.
   */
  readonly advance: (block: Pick<Block, "bytes" | "out" | "errors"> & Partial<Block>) => void;
  readonly stop: () => void;
}

/** A progress bar for a database, which counts rows and learns their total only while it works. */
export interface RowProgress extends Progress {
  /** Sets the number of rows that were read, and of all rows to read. The bar starts when there are rows to read. */
  readonly reach: (rows: number, total: number) => void;
}

/** Erases the line of the bar and saves the position at which the cursor should be when the bar stops. */
const ERASE = "\r\x1b[K\x1b7";

const NONE: RowProgress = { advance: () => {}, reach: () => {}, stop: () => {} };
const MEGABYTE = 1e6;

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

/** @param total the number of bytes that will be read; with `null`, there is no bar. */
export async function startProgress(total: number | null, io: Io): Promise<Progress> {
  if (!io.stderr.isTTY || total === null) return NONE;
  const bar = await barOn(io.stderr);
  const size = `${(total / MEGABYTE).toFixed(1)} MB`;
  bar.start(total, 0, { rate: "", size });
  let inputs = 0;
  const rate = rateSince(performance.now());
  return {
    advance(block) {
      inputs += block.inputs ?? 0;
      bar.increment(block.bytes, { rate: rate(inputs), size });
      eraseFor(block, io);
    },
    stop: stopOnce(bar, io),
  };
}

/** Starts a bar for a database. */
export async function startRowProgress(io: Io): Promise<RowProgress> {
  if (!io.stderr.isTTY) return NONE;
  const bar = await barOn(io.stderr);
  const rate = rateSince(performance.now());
  return {
    advance(block) {
      if (bar.isActive) eraseFor(block, io);
    },
    reach(rows, total) {
      if (total === 0) return;
      const shown = { rate: rate(rows), size: counted(total, "row", "rows") };
      if (!bar.isActive) bar.start(total, rows, shown);
      bar.setTotal(total);
      bar.update(rows, shown);
    },
    stop: stopOnce(bar, io),
  };
}

async function barOn(stderr: Io["stderr"]): Promise<SingleBar> {
  const { default: cliProgress } = await import("cli-progress");
  return new cliProgress.SingleBar(
    {
      stream: stderr,
      format: "{bar} {percentage} % of {size}, {rate}{eta_formatted} left",
      barsize: 30,
      fps: 5,
      // The bar must be drawn again after it was erased.
      forceRedraw: true,
      clearOnComplete: true,
      hideCursor: false,
      // With `false`, an interrupted command would leave the terminal without line wrap.
      linewrap: true,
      gracefulExit: false,
    },
    cliProgress.Presets.shades_grey,
  );
}

/** Returns a function that formats the average number per second since `start`. */
function rateSince(start: number): (count: number) => string {
  return (count) => {
    const perSecond = Math.round((1000 * count) / (performance.now() - start));
    return count === 0 ? "" : `${formatCount(perSecond)} per second, `;
  };
}

function eraseFor({ out, errors }: Pick<Block, "out" | "errors">, { stdout, stderr }: Io): void {
  if (errors !== "" || (stdout.isTTY && out.length > 0)) stderr.write(ERASE);
}

function stopOnce(bar: SingleBar, { stderr }: Io): () => void {
  let hasStopped = false;
  return () => {
    if (hasStopped || !bar.isActive) return;
    hasStopped = true;
    stderr.write(ERASE);
    bar.stop();
  };
}
