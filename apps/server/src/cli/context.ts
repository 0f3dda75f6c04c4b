import type { Readable, Writable } from "node:stream";
import type { Progress } from "./progress.ts";

/** The parts of `process` that the command uses. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Context {
  readonly io: Io;
  readonly progress: Progress;
  print(line: string): void;
  complain(line: string): void;
  /** Waits until the printed text has been read. */
  drained(): Promise<void>;
  /** Sets the exit status, which is 0 otherwise. */
  exitWith(status: number): void;
}
