import type { Writable } from "node:stream";
import { Failure, reasonOf } from "./failure.ts";

/** Whoever read what we write has gone; nobody needs to be told. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** A stream that is written to at the pace of its reader. */
export interface Output {
  /** Resolves when more can be taken. @throws {ClosedPipe | Failure} */
  readonly write: (text: string | Uint8Array) => Promise<void>;
}

/** What a write says then, by system (Windows: EOF) and by stream. */
const GONE = new Set([
  "EPIPE",
  "EOF",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "ECONNRESET",
]);

export function outputTo(stream: Writable): Output {
  // A failed write is reported to its callback; without a listener it would also end the process.
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
