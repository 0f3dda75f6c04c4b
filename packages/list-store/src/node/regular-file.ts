import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { StoreError } from "../error.ts";

/**
 * The bytes of a file; `null` for a directory. `what` names the file in error messages.
 *
 * A file of more than `most` bytes is an error. Pipes, sockets and devices are errors, too: reading them might never
 * end, and opening a pipe would wait for a writer.
 *
 * @throws {StoreError} `damaged`. System errors are thrown unchanged.
 */
export async function readRegularFile(
  path: string,
  what: string,
  most: number = Infinity,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const notAFile = () => new StoreError("damaged", `${what} is not a regular file`);
  // Windows has neither `O_NONBLOCK` nor pipes in folders.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error) => {
    throw error.code === "ENXIO" ? notAFile() : error;
  });
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) return null;
    if (!facts.isFile()) throw notAFile();
    if (facts.size > most) throw new StoreError("damaged", `${what} is far too long`);
    const bytes = await handle.readFile({ signal });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } finally {
    await handle.close();
  }
}
