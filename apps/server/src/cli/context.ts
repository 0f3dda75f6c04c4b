import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Progress } from "@x/command-line/node";

/** The parts of `process` that the command uses. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The fields that a line of output gets in a JSON log. */
export interface LineFacts {
  readonly list?: string;
  readonly version?: number;
  /** Whether the line reports a failure, which a log records as an error instead of a warning. */
  readonly isFailure?: boolean;
  /** Whether the same line was printed for these inputs before. */
  readonly isRepeated?: boolean;
}

export interface Context {
  readonly io: Io;
  readonly progress: Progress;
  print(line: string, facts?: LineFacts): void;
  complain(line: string, facts?: LineFacts): void;
  /** Waits until standard output can accept more data. */
  drained(): Promise<void>;
  /** Sets the exit status. The default is 0. */
  exitWith(status: number): void;
}

export function ownVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** A controller whose signal any number of requests may wait for. By default, Node warns of more than ten. */
export function sharedAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
