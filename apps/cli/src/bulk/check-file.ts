import { type FileHandle, open } from "node:fs/promises";
import { printable } from "@x/explain/printable";
import { RECOGNITION_BYTES } from "@x/list-source";
import { sharePrefixList } from "@x/prefix-list";
import { Failure, failTo } from "../failure.ts";
import { refuseForeignInput } from "../input/foreign-input.ts";
import type { Block } from "../output/results.ts";
import { checkInWorkers } from "./check-in-workers.ts";
import type { WriterOptions } from "./verdict-writer.ts";

function notInParts(file: string): Failure {
  return new Failure(`--workers needs a file that can be read in parts: ${printable(file)}`);
}

async function beginningOf(handle: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(RECOGNITION_BYTES), 0, null, 0);
  return buffer.subarray(0, bytesRead);
}

/** Checks the lines of a file in several threads, which share the lists. @throws {Failure} */
export async function* checkFile(
  file: string,
  workers: number,
  options: WriterOptions,
): AsyncGenerator<Block> {
  const handle = await open(file).catch(failTo(`read ${printable(file)}`));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notInParts(file);
    const lists = options.lists.map(sharePrefixList);
    const safeLists = options.safeLists.map(sharePrefixList);
    const beginning = await beginningOf(handle);
    // Some files, such as those in /proc, have a length of 0, although they are not empty.
    if (beginning.length > stats.size) throw notInParts(file);
    refuseForeignInput(beginning, printable(file), "URL");
    const job = { ...options, lists, safeLists, fd: handle.fd, size: stats.size };
    yield* checkInWorkers(job, workers);
  } finally {
    await handle.close();
  }
}
