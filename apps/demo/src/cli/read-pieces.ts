import { createReadStream } from "node:fs";
import type { Io } from "./context.ts";
import { Failure, reasonOf } from "./failure.ts";
import { printable } from "./printable.ts";

/**
 * The octets of a file, or of stdin for `-`, in pieces of what is there at the time.
 *
 * @throws {Failure} when it cannot be read.
 */
export async function* readPieces(
  file: string,
  { stdin }: Pick<Io, "stdin">,
): AsyncGenerator<Uint8Array> {
  const stream = file === "-" ? stdin : createReadStream(file);
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string | Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch((error: unknown) => {
        const name = file === "-" ? "stdin" : printable(file);
        throw new Failure(`cannot read ${name}: ${reasonOf(error)}`);
      });
      if (done) break;
      yield typeof value === "string" ? Buffer.from(value) : value;
    }
  } finally {
    await pieces.return?.();
  }
}
