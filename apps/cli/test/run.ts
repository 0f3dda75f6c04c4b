import { Readable, Writable } from "node:stream";
import type { Io } from "../src/context.ts";
import { main, type Settings } from "../src/main.ts";

export interface RunOptions extends Settings {
  /** What stands on stdin, in the pieces in which it arrives. */
  readonly stdin?: string | Uint8Array | readonly Uint8Array[];
  /** The width of the terminal that the command runs in; none by default. */
  readonly terminal?: number;
  readonly env?: Record<string, string>;
}

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function recorder(columns: number | undefined): { stream: Writable; text: () => string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  if (columns !== undefined) Object.assign(stream, { isTTY: true, columns });
  return { stream, text: () => Buffer.concat(pieces).toString() };
}

/** What the streams of a process hold after `body` has used them. */
export async function record(
  body: (io: Io) => Promise<number>,
  { stdin = "", terminal, env = {} }: RunOptions = {},
): Promise<Ran> {
  const [out, err] = [recorder(terminal), recorder(terminal)];
  const pieces = typeof stdin === "string" ? [Buffer.from(stdin)] : stdin;
  const input = Readable.from(pieces instanceof Uint8Array ? [pieces] : pieces);
  const status = await body({ stdin: input, stdout: out.stream, stderr: err.stream, env });
  return { status, stdout: out.text(), stderr: err.text() };
}

/** Runs `urlhash` in this process. */
export function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return record((io) => main(argv, io, options), options);
}
