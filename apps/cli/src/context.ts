import type { Readable, Writable } from "node:stream";
import type { PublicFetchOptions } from "@x/links/node";
import picocolors from "picocolors";
import { type Output, outputTo } from "./output-stream.ts";

/** A stream that may be a terminal. */
export type MaybeTerminal = { readonly isTTY?: boolean | undefined; readonly columns?: number };

/** The parts of `process` that the command uses. */
export interface Io {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Colours = ReturnType<typeof picocolors.createColors>;

export interface Context {
  readonly io: Io;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The colours for stdout. */
  readonly colours: Colours;
  /** The width of the longest line, in columns; `null` when lines are not folded. */
  readonly columns: number | null;
  /** The list files to check against when the user names none. */
  readonly defaultLists: readonly string[];
  /** The addresses that may be reached when links are followed; by default, only public addresses. */
  readonly reach: PublicFetchOptions;
  /** Adds bits to the exit status. */
  readonly addStatus: (bits: number) => void;
}

/** Settings for a program that calls `main`. */
export interface Settings {
  /** The list files to check against when the user names none. */
  readonly defaultLists?: readonly string[];
  /** The addresses that `--follow` may reach, for tests with servers on this machine. */
  readonly reach?: PublicFetchOptions;
}

/**
 * Whether to write colours. The option `--color` takes precedence over the variables NO_COLOR
 * (https://no-color.org) and FORCE_COLOR (https://force-color.org). Without any of them, only terminals get colours.
 */
function wantsColour(argv: readonly string[], stream: MaybeTerminal, env: Io["env"]): boolean {
  const option = colorOption(argv);
  if (option === "always" || option === "never") return option === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== "0") return true;
  return Boolean(stream.isTTY) && env.TERM !== "dumb";
}

/**
 * Returns the value of `--color`, which is needed before the arguments are parsed, because the help has colours, too.
 */
function colorOption(argv: readonly string[]): string | undefined {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const index = options.findLastIndex((arg) => /^--color(?:=|$)/.test(arg));
  const found = options[index];
  return found === "--color" ? options[index + 1] : found?.slice("--color=".length);
}

function columnsOf(stream: MaybeTerminal, env: Io["env"]): number | null {
  const columns = stream.isTTY && stream.columns ? stream.columns : Number(env.COLUMNS);
  return Number.isInteger(columns) && columns >= 40 ? columns : null;
}

export function createContext(
  argv: readonly string[],
  io: Io,
  { defaultLists = [], reach = {} }: Settings,
  addStatus: (bits: number) => void,
): Context {
  return {
    io,
    stdout: outputTo(io.stdout),
    stderr: outputTo(io.stderr),
    colours: picocolors.createColors(wantsColour(argv, io.stdout, io.env)),
    columns: columnsOf(io.stdout, io.env),
    defaultLists,
    reach,
    addStatus,
  };
}
