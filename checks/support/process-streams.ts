import { Readable, Writable } from "node:stream";

/** The streams and the environment of a process that a command uses. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface StreamOptions {
  /** The contents of stdin, in the chunks in which they arrive. */
  readonly stdin?: string | Uint8Array | readonly Uint8Array[];
  /** The width of the terminal in columns. By default, there is no terminal. */
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

/** Runs a command in this process, and returns its status and its output. */
export async function record(
  body: (io: Streams) => Promise<number>,
  { stdin = "", terminal, env = {} }: StreamOptions = {},
): Promise<Ran> {
  const [out, err] = [recorder(terminal), recorder(terminal)];
  const pieces = typeof stdin === "string" ? [Buffer.from(stdin)] : stdin;
  const input = Readable.from(pieces instanceof Uint8Array ? [pieces] : pieces);
  const status = await body({ stdin: input, stdout: out.stream, stderr: err.stream, env });
  return { status, stdout: out.text(), stderr: err.text() };
}
