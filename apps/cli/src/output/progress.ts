import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
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

/** Erases the line of the bar and saves the position at which the cursor should be when the bar stops. */
const ERASE = "\r\x1b[K\x1b7";

const NONE: Progress = { advance: () => {}, stop: () => {} };
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
export async function startProgress(
  total: number | null,
  { stdout, stderr }: Io,
): Promise<Progress> {
  if (!stderr.isTTY || total === null) return NONE;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar(
    {
      stream: stderr,
      format: "{bar} {percentage} % of {total} MB, {rate}{eta_formatted} left",
      formatValue: (value, _, type) =>
        type === "total" ? (value / MEGABYTE).toFixed(1) : String(value),
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
  bar.start(total, 0, { rate: "" });
  const start = performance.now();
  let [inputs, hasStopped] = [0, false];
  return {
    advance(block) {
      const { bytes, out, errors } = block;
      inputs += block.inputs ?? 0;
      const perSecond = Math.round((1000 * inputs) / (performance.now() - start));
      const rate = inputs === 0 ? "" : `${perSecond.toLocaleString("en")} per second, `;
      bar.increment(bytes, { rate });
      if (errors !== "" || (stdout.isTTY && out.length > 0)) stderr.write(ERASE);
    },
    stop: () => {
      if (hasStopped) return;
      hasStopped = true;
      stderr.write(ERASE);
      bar.stop();
    },
  };
}
