import type { Readable, Writable } from "node:stream";
import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import type { PublicFetchOptions } from "@x/links/node";
import picocolors from "picocolors";

/** A stream that may be a terminal. */
type MaybeTerminal = { readonly isTTY?: boolean | undefined; readonly columns?: number };

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
export function wantsColour(
  argv: readonly string[],
  stream: MaybeTerminal,
  env: Io["env"],
): boolean {
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

/** Thrown when the program that reads the output has closed the pipe. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** A stream that is written only as fast as its reader reads. */
export interface Output {
  /** Resolves when the stream can take more. @throws {ClosedPipe | Failure} */
  readonly write: (text: string | Uint8Array) => Promise<void>;
}

/**
 * The error codes of a write after the reader has closed the stream. The code depends on the system (EOF on Windows)
 * and on the stream.
 */
const GONE = new Set([
  "EPIPE",
  "EOF",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "ECONNRESET",
]);

function outputTo(stream: Writable): Output {
  // A failed write is reported to its callback. Without this listener, the error would also end the process.
  stream.on("error", () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (text.length === 0) return resolve();
        stream.write(text, (error) => {
          if (!error) resolve();
          else if (GONE.has((error as NodeJS.ErrnoException).code ?? "")) reject(new ClosedPipe());
          else reject(new Failure(`cannot write the results: ${reasonOf(error)}`));
        });
      }),
  };
}
