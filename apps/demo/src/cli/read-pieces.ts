import { createReadStream, fstatSync } from "node:fs";
import { printable } from "../text/printable.ts";
import type { Io } from "./context.ts";
import { Failure, reasonOf } from "./failure.ts";

/**
 * The octets of a file, or of stdin for `-`, in pieces of what is there at the time.
 *
 * @throws {Failure} when it cannot be read.
 */
export async function* readPieces(
  file: string,
  { stdin }: Pick<Io, "stdin">,
): AsyncGenerator<Uint8Array> {
  if (file === "-") refuseDirectory(stdin);
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

/** Node gives a directory on stdin as a stream that ends at once, as if everything had been read. */
function refuseDirectory(stdin: Io["stdin"]): void {
  const { fd } = stdin as { fd?: number };
  if (fd !== undefined && fstatSync(fd).isDirectory()) {
    throw new Failure("cannot read stdin: it is a directory");
  }
}
