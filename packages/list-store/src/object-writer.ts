import { objectKey, parseVersion, versionsFolder } from "./keys.ts";
import { listNames, readEntry } from "./log-files.ts";
import { cleanAlone, type PublisherMark } from "./marks.ts";
import { hashOf } from "./objects.ts";
import { addContents } from "./objects-of-version.ts";
import type { Storage } from "./storage.ts";

/** Writes an object unless its hash is in `kept`, and returns the hash. */
export type WriteObject = (bytes: Uint8Array, kept?: ReadonlySet<string>) => Promise<string>;

/** Writes objects, and records those that did not exist before. */
interface ObjectWriter {
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
  async function write(bytes: Uint8Array, kept?: ReadonlySet<string>): Promise<string> {
    const hash = await hashOf(bytes);
    if (dryRun || kept?.has(hash) || written.has(hash)) return hash;
    const key = objectKey(hash);
    if (await storage.create(key, bytes)) created.add(hash);
    // An object that exists is written again, so that garbage collection treats it as new.
    else await storage.put(key, bytes);
    written.add(hash);
    onWritten(written.size);
    return hash;
  }
  return { write, created };
}

/** The objects of all versions that were created since a publisher began. */
async function objectsSince(storage: Storage, { begun }: PublisherMark): Promise<Set<string>> {
  const used = new Set<string>();
  for (const list of await listNames(storage)) {
    for (const { name, modified } of await storage.list(versionsFolder(list))) {
      const version = parseVersion(name);
      if (version === null || (modified ?? Infinity) < (begun ?? 0)) continue;
      const entry = await readEntry(storage, list, version);
      if (entry !== null) await addContents(used, storage, entry.manifest);
    }
  }
  return used;
}

/**
 * Deletes the objects that a publisher created before it failed, so that they do not fill the storage. Objects that
 * another publisher uses, or may be about to use, are kept.
 */
export async function deleteCreated(
  storage: Storage,
  publisher: PublisherMark,
  created: ReadonlySet<string>,
): Promise<void> {
  if (created.size === 0) return;
  const clean = async (isOver: () => boolean) => {
    // A publisher that has finished by now may have used some of these objects.
    const used = await objectsSince(storage, publisher);
    for (const hash of created) {
      if (isOver()) return;
      if (!used.has(hash)) await storage.delete(objectKey(hash));
    }
  };
  await cleanAlone(storage, publisher, clean);
}
