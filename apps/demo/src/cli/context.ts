import type { Readable, Writable } from "node:stream";
import picocolors from "picocolors";
import { type Output, outputTo } from "./output.ts";

/** A stream that may be a terminal. */
export type MaybeTerminal = { readonly isTTY?: boolean | undefined; readonly columns?: number };

/** What the command is run in; in a program it is `process`. */
export interface Io {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Colours = ReturnType<typeof picocolors.createColors>;

/** What every command is given. */
export interface Context {
  readonly io: Io;
  readonly stdout: Output;
  readonly stderr: Output;
  /** For stdout; plain when it is not a terminal. */
  readonly colours: Colours;
  /** How wide lines may be; `null` when nobody folds them. */
  readonly columns: number | null;
  /** Lists to check against when none is named. */
  readonly defaultLists: readonly string[];
  /** Adds bits to the exit status. */
  readonly addStatus: (bits: number) => void;
}

/** Colours are for terminals that can, and whose user did not say no (https://no-color.org). */
export function wantsColour(stream: MaybeTerminal, env: Io["env"]): boolean {
  return Boolean(stream.isTTY) && !env.NO_COLOR && env.TERM !== "dumb";
}

function columnsOf(stream: MaybeTerminal, env: Io["env"]): number | null {
  const columns = stream.isTTY && stream.columns ? stream.columns : Number(env.COLUMNS);
  return Number.isInteger(columns) && columns >= 40 ? columns : null;
}

export function createContext(
  io: Io,
  defaultLists: readonly string[],
  addStatus: (bits: number) => void,
): Context {
  return {
    io,
    stdout: outputTo(io.stdout),
    stderr: outputTo(io.stderr),
    colours: picocolors.createColors(wantsColour(io.stdout, io.env)),
    columns: columnsOf(io.stdout, io.env),
    defaultLists,
    addStatus,
  };
}
