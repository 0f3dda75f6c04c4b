import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import cliProgress from "cli-progress";
import type { Io } from "./context.ts";
import type { Block } from "./evaluate.ts";

/** A bar on stderr, when that is a terminal; else nothing. */
export interface Progress {
  /** A block is done, and is about to be written: the bar makes room where both share the terminal. */
  readonly advance: (block: Block) => void;
  readonly stop: () => void;
}

/** Erases the line of the bar, and says that the cursor is where it should be when the bar stops. */
const ERASE = "\r\x1b[K\x1b7";

const NONE: Progress = { advance: () => {}, stop: () => {} };
const MEGABYTE = 1e6;

/** The octets that will be read, where that can be known. */
export async function sizeOf(file: string | undefined, { stdin }: Io): Promise<number | null> {
  try {
    const { fd } = stdin as { fd?: number };
    const isStdin = file === undefined || file === "-";
    if (isStdin && fd === undefined) return null;
    const stats = isStdin ? fstatSync(fd!) : await stat(file);
    return stats.isFile() ? stats.size : null;
  } catch {
    // Whoever reads it will say what is wrong.
    return null;
  }
}

/** @param total the octets that will be read; `null` when nobody knows, and there is no bar. */
export function startProgress(total: number | null, { stdout, stderr }: Io): Progress {
  if (!stderr.isTTY || total === null) return NONE;
  const bar = new cliProgress.SingleBar(
    {
      stream: stderr,
      format: "{bar} {percentage} % of {total} MB, {eta_formatted} left",
      formatValue: (value, _, type) =>
        type === "total" ? (value / MEGABYTE).toFixed(1) : String(value),
      barsize: 30,
      fps: 5,
      // After it made room.
      forceRedraw: true,
      clearOnComplete: true,
      hideCursor: false,
      // Otherwise a terminal whose command is interrupted would be left without line wrap.
      linewrap: true,
      gracefulExit: false,
    },
    cliProgress.Presets.shades_grey,
  );
  bar.start(total, 0);
  return {
    advance({ octets, out, errors }) {
      bar.increment(octets);
      if (errors !== "" || (stdout.isTTY && out.length > 0)) stderr.write(ERASE);
    },
    stop: () => {
      stderr.write(ERASE);
      bar.stop();
    },
  };
}
