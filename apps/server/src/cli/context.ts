import type { Io } from "@x/command-line/node";
import type { Progress } from "./progress.ts";

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
