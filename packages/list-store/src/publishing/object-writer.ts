import { hashOf, putObject } from "../objects.ts";
import type { Storage } from "../storage.ts";

/** The number of objects that are written at the same time. */
const WRITERS = 8;

/** Writes an object unless its hash is in `kept`, and returns the hash. */
export type WriteObject = (bytes: Uint8Array, kept: ReadonlySet<string>) => Promise<string>;

/** Writes objects, and records those that did not exist before. */
export interface ObjectWriter {
  readonly write: WriteObject;
  readonly created: ReadonlySet<string>;
}

/**
 * Returns a writer that writes each object once. Objects of the newest version are in `kept`, and are skipped because
 * nothing deletes them.
 */
export function objectWriter(
  storage: Storage,
  dryRun: boolean,
  onWritten: (count: number) => void,
): ObjectWriter {
  const written = new Set<string>();
  const created = new Set<string>();
  async function write(bytes: Uint8Array, kept: ReadonlySet<string>): Promise<string> {
    const hash = await hashOf(bytes);
    if (dryRun || kept.has(hash) || written.has(hash)) return hash;
    await putObject(storage, bytes, (each) => created.add(each));
    written.add(hash);
    onWritten(written.size);
    return hash;
  }
  return { write, created };
}

/**
 * Calls `write` with every item and returns the results. The function writes a few items at a time, because writing
 * mostly means waiting for the storage. After an error, no more writes are started.
 */
export async function writeAtOnce<Item>(
  items: Iterator<Item> | AsyncIterator<Item>,
  write: (item: Item) => Promise<string>,
): Promise<string[]> {
  const written: string[] = [];
  let next = 0;
  let isOver = false;
  const writer = async () => {
    try {
      while (!isOver) {
        const number = next++;
        const item = await items.next();
        if (item.done) break;
        written[number] = await write(item.value);
      }
    } finally {
      isOver = true;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: WRITERS }, writer));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return written;
}
