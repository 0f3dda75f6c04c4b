import { spawn } from "node:child_process";

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  readonly stdin?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Closes stdout after this many bytes, as `head -c` does. */
  readonly closeAfter?: number;
  readonly nodeOptions?: readonly string[];
  readonly env?: Record<string, string>;
}

/** Runs a Node program and waits for its end. */
export async function runProgram(
  program: string,
  argv: readonly string[],
  { stdin = [], closeAfter, nodeOptions = [], env = {} }: SpawnOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeOptions, program, ...argv], {
    env: { ...process.env, ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  let length = 0;
  child.stdout.on("data", (piece: Buffer) => {
    out.push(piece);
    length += piece.length;
    if (closeAfter !== undefined && length >= closeAfter) child.stdout.destroy();
  });
  child.stderr.on("data", (piece: Buffer) => err.push(piece));
  // The child may exit before it has read everything.
  child.stdin.on("error", () => {});
  for await (const piece of stdin) {
    if (child.stdin.destroyed) break;
    if (!child.stdin.write(piece)) {
      await Promise.race([new Promise((resolve) => child.stdin.once("drain", resolve)), ended]);
    }
  }
  child.stdin.end();
  return {
    status: await ended,
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
  };
}
