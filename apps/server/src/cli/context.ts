import type { Readable, Writable } from "node:stream";
import type { Progress } from "./progress.ts";

/** The parts of `process` that the command uses. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a line is about, for a log that has fields. */
export interface LineFacts {
  readonly list?: string;
  readonly version?: number;
  /** Whether something could not be done. */
  readonly isFailure?: boolean;
}

export interface Context {
  readonly io: Io;
  readonly progress: Progress;
  print(line: string, facts?: LineFacts): void;
  complain(line: string, facts?: LineFacts): void;
  /** Waits until the printed text has been read. */
  drained(): Promise<void>;
  /** Sets the exit status, which is 0 otherwise. */
  exitWith(status: number): void;
}
