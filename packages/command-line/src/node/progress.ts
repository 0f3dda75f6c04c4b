import type { Writable } from "node:stream";

/** A progress line on a terminal. It is never shown if stderr is not a terminal or `TERM` is `dumb`. */
export interface Progress {
  /** Replaces the line at once when a step begins, and then at most every 200 ms. */
  show(step: string, details: () => string): void;
  /** Erases the line. Call this before any other output, and at the end. */
  erase(): void;
}

/** How long a line is shown before the same step may replace it, in milliseconds. */
const SHOWN_FOR = 200;

const ERASE = "\r\x1b[K";
/** Makes the terminal cut off long lines, because a wrapped line could not be erased. */
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";

const NONE: Progress = { show: () => {}, erase: () => {} };

interface Terminal {
  readonly stderr: Writable;
  readonly env: { readonly TERM?: string | undefined };
}

/** Whether people read a stream, so that it gets text and tables instead of lines for programs. */
export function isTerminal(stream: Writable): boolean {
  return Boolean((stream as { isTTY?: boolean }).isTTY);
}

export function startProgress({ stderr, env }: Terminal): Progress {
  if (!isTerminal(stderr) || env.TERM === "dumb") return NONE;
  let shown: { readonly step: string; readonly until: number } | null = null;
  return {
    show(step, details) {
      const now = performance.now();
      if (shown?.step === step && now < shown.until) return;
      shown = { step, until: now + SHOWN_FOR };
      stderr.write(`${ERASE}${NO_WRAP}${step}${details()}${WRAP}`);
    },
    erase() {
      if (shown === null) return;
      shown = null;
      stderr.write(ERASE);
    },
  };
}

/**
 * Says in words how much time is left, if the rest takes as long for each part as what is done: `", 40 s left"`. `""`
 * before anything is done, and when everything is.
 *
 * @param share how much is done, from 0 to 1.
 * @param since when the work began, by `performance.now()`.
 */
export function timeLeft(share: number, since: number): string {
  if (share <= 0 || share >= 1) return "";
  const seconds = ((performance.now() - since) / 1000) * (1 / share - 1);
  if (seconds < 60) return `, ${Math.ceil(seconds)} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `, ${minutes} min left`;
  return `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
