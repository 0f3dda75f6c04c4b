import { createReadStream } from "node:fs";
import type { Io } from "./context.ts";
import { Failure, reasonOf } from "./failure.ts";
import { type Line, lineSplitter } from "./lines.ts";
import { printable } from "./printable.ts";

/** Told of the octets that were read. */
export type OnRead = (octets: number) => void;

/**
 * The lines of a file, or of stdin for `-`, in batches of what is there at the time.
 *
 * @throws {Failure} when it cannot be read.
 */
export async function* readLines(
  file: string,
  { stdin }: Pick<Io, "stdin">,
  onRead: OnRead = () => {},
): AsyncGenerator<Line[]> {
  const splitter = lineSplitter();
  const stream = file === "-" ? stdin : createReadStream(file);
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string | Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch((error: unknown) => {
        const name = file === "-" ? "stdin" : printable(file);
        throw new Failure(`cannot read ${name}: ${reasonOf(error)}`);
      });
      if (done) break;
      const octets = typeof value === "string" ? Buffer.from(value) : value;
      onRead(octets.length);
      yield splitter.push(octets);
    }
    yield splitter.end();
  } finally {
    await pieces.return?.();
  }
}
