import type { Writable } from "node:stream";

/** One line on a terminal that shows how far the command has got. It does nothing when stderr is not a terminal. */
export interface Progress {
  /** Replaces the line: at once when a step begins, and then from time to time. */
  show(step: string, details: () => string): void;
  /** Call this before anything else is written, and at the end. */
  erase(): void;
}

/** How long a line is shown before the same step replaces it, in milliseconds. */
const SHOWN_FOR = 200;

const ERASE = "\r\x1b[K";
/** Makes the terminal cut off a line that is too long. If the line wrapped, it could not be erased. */
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";

const NONE: Progress = { show: () => {}, erase: () => {} };

interface Terminal {
  readonly stderr: Writable;
  readonly env: { readonly TERM?: string | undefined };
}

export function startProgress({ stderr, env }: Terminal): Progress {
  if (!(stderr as { isTTY?: boolean }).isTTY || env.TERM === "dumb") return NONE;
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
