import { openSync, write, writeSync } from "node:fs";
import type { LogDestination } from "./log.ts";

/** A log file whose lines are written in batches. */
export interface LogFile extends LogDestination {
  /** Writes the remaining lines, and waits for a slow reader, but at most two seconds. */
  close(): Promise<void>;
}

/** A batch is written as soon as it has this many characters, or after {@link MAX_WAIT} milliseconds. */
const BATCH = 32_768;
const MAX_WAIT = 1000;
/** How many bytes may wait for a slow reader. Anything more is dropped. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;
/** How long to wait before the next attempt if the reader reads nothing, in milliseconds. */
const RETRY = 100;
/** How long closing the log may wait for its reader, in milliseconds. */
const MAX_CLOSE = 2000;

/** Writes buffers to a file, one after the other. `onProblem` is called when writing begins to fail. */
function bufferWriter(descriptor: number, onProblem: (error: Error) => void) {
  /** The buffers to write, in order. The first one is being written. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isWriting = false;
  let hasProblem = false;
  let onEmpty = () => {};

  function report(error: Error): void {
    if (!hasProblem) onProblem(error);
    hasProblem = true;
  }

  function writeFirst(): void {
    isWriting = true;
    write(descriptor, waiting[0]!, (error, written) => {
      if (error?.code === "EAGAIN") return setTimeout(writeFirst, RETRY).unref();
      if (error !== null) report(error);
      take(error === null ? written : waiting[0]!.length);
      if (waiting.length > 0) return writeFirst();
      isWriting = false;
      if (error === null) hasProblem = false;
      onEmpty();
    });
  }

  /** Removes bytes that were written or dropped. */
  function take(bytes: number): void {
    waitingBytes -= bytes;
    const rest = waiting[0]!.subarray(bytes);
    if (rest.length === 0) waiting.shift();
    else waiting[0] = rest;
  }

  return {
    write(bytes: Buffer): void {
      if (waitingBytes + bytes.length > MAX_WAITING_BYTES) {
        report(new Error("its reader is too slow"));
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!isWriting) writeFirst();
    },
    /** The buffers that are waiting, without the one that is being written. */
    waiting: () => waiting.slice(isWriting ? 1 : 0),
    /** Waits until everything is written, but not longer than this many milliseconds. */
    async finish(milliseconds: number): Promise<void> {
      if (!isWriting) return;
      await new Promise<void>((resolve) => {
        const limit = setTimeout(resolve, milliseconds);
        onEmpty = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    },
  };
}

/**
 * Opens a file for a log. A number is a file descriptor, such as 1 for standard output.
 *
 * If the log cannot be written, its lines are dropped until it can be written again, and the program goes on.
 * `onProblem` is called when lines begin to be dropped.
 */
export function logFile(file: string | number, onProblem: (error: Error) => void): LogFile {
  const descriptor = typeof file === "number" ? file : openSync(file, "a");
  let batch = "";
  let timer: NodeJS.Timeout | null = null;
  const writer = bufferWriter(descriptor, onProblem);

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const bytes = Buffer.from(batch);
    batch = "";
    if (bytes.length > 0) writer.write(bytes);
  }

  // The process may end without `close`, for example after an error.
  process.once("exit", () => {
    try {
      const rest = Buffer.concat([...writer.waiting(), Buffer.from(batch)]);
      if (rest.length > 0) writeSync(descriptor, rest);
    } catch {
      // The process is ending, so the error cannot be reported.
    }
  });

  return {
    write(text) {
      batch += text;
      if (batch.length >= BATCH) flush();
      else timer ??= setTimeout(flush, MAX_WAIT).unref();
    },
    async close() {
      flush();
      await writer.finish(MAX_CLOSE);
    },
  };
}
