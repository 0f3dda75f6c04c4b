import type { Readable, Writable } from "node:stream";

/** A stream that may be a terminal. */
export type MaybeTerminal = { readonly isTTY?: boolean | undefined; readonly columns?: number };

/** The parts of `process` that a command uses. */
export interface Io {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}
