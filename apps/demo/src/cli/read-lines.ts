import { type Line, lineSplitter } from "../lines.ts";
import type { Io } from "./context.ts";
import { readPieces } from "./read-pieces.ts";

/** Told of the octets that were read. */
export type OnRead = (octets: number) => void;

/**
 * The lines of a file, or of stdin for `-`, in batches of what is there at the time.
 *
 * @throws {Failure} when it cannot be read.
 */
export async function* readLines(
  file: string,
  io: Pick<Io, "stdin">,
  onRead: OnRead = () => {},
): AsyncGenerator<Line[]> {
  const splitter = lineSplitter();
  for await (const octets of readPieces(file, io)) {
    onRead(octets.length);
    yield splitter.push(octets);
  }
  yield splitter.end();
}
