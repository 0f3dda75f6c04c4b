import type { Readable, Writable } from "node:stream";
import picocolors from "picocolors";
import { type Output, outputTo } from "./output/stream.ts";

/** A stream that may be a terminal. */
export type MaybeTerminal = { readonly isTTY?: boolean | undefined; readonly columns?: number };

/** The part of `process` that the command uses. */
export interface Io {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Colours = ReturnType<typeof picocolors.createColors>;

/** What every command gets. */
export interface Context {
  readonly io: Io;
  readonly stdout: Output;
  readonly stderr: Output;
  /** For stdout; without effect when it is not a terminal. */
  readonly colours: Colours;
  /** The longest line in columns; `null` when lines are not folded. */
  readonly columns: number | null;
  /** The list files to check against when the user names none. */
  readonly defaultLists: readonly string[];
  /** Adds bits to the exit status. */
  readonly addStatus: (bits: number) => void;
}

/** Only terminals get colours, and not when the user says no (https://no-color.org). */
function wantsColour(stream: MaybeTerminal, env: Io["env"]): boolean {
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
