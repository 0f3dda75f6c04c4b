import { addContents } from "../contents/objects-of-version.ts";
import { objectKey, parseVersion, versionsFolder } from "../keys.ts";
import { listNames, readEntry } from "../log-files.ts";
import type { Storage } from "../storage.ts";
import { cleanAlone } from "./exclusive-deletion.ts";
import type { NewId, PublisherMark } from "./marks.ts";

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
  newId?: NewId,
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
  await cleanAlone(storage, publisher, clean, newId);
}
