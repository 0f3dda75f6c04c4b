import { PassThrough, Readable } from "node:stream";
import { main } from "../../src/cli/main.ts";

/** Runs the command in this process, expects it to fail, and returns its complaint. */
export async function complaintOf(...args: string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const status = await main(args, { stdin: Readable.from([]), stdout, stderr, env: {} });
  if (status !== 2) throw new Error(`The command ended with ${status}`);
  return String(stderr.read());
}
