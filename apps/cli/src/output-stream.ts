import type { Writable } from "node:stream";
import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";

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

export function outputTo(stream: Writable): Output {
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
