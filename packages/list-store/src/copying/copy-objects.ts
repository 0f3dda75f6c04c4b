import { StoreError } from "../error.ts";
import { OBJECTS_FOLDER, objectKey } from "../keys.ts";
import type { Manifest } from "../log/manifest.ts";
import { getObject } from "../objects.ts";
import { addContents } from "../publishing/collect-garbage.ts";
import type { Storage } from "../storage/storage.ts";
import { inParallel } from "./in-parallel.ts";

const AT_ONCE = 8;

/** Copies objects to one storage, each once. */
export interface ObjectCopier {
  /** Copies everything that a version needs. Throws `missing` when some of it is gone. */
  copyVersion(manifest: Manifest): Promise<void>;
  /** Copies the changes that a version made, as far as they are there. */
  copyChange(manifest: Manifest): Promise<void>;
}

/** Whether an error says that something is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof StoreError && error.code === "missing";
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

async function objectsOf(storage: Storage, manifest: Manifest): Promise<Set<string>> {
  const objects = new Set<string>();
  await addContents(objects, storage, manifest);
  return objects;
}

/**
 * Returns a copier of objects. The objects of `newest`, a version of the copy, are taken to be there; of all others, the
 * copy is asked, folder by folder.
 *
 * @param onCopied called with the number of bytes of each object that was copied.
 */
export async function objectCopier(
  from: Storage,
  to: Storage,
  newest: Manifest | null,
  onCopied: (bytes: number) => void,
): Promise<ObjectCopier> {
  const known = new Set<string>();
  if (newest !== null) await addContents(known, to, newest).catch(unlessMissing);
  const folders = new Map<string, Promise<ReadonlySet<string>>>();

  function namesIn(folder: string): Promise<ReadonlySet<string>> {
    let names = folders.get(folder);
    if (names === undefined) {
      names = to.list(folder).then((entries) => new Set(entries.map(({ name }) => name)));
      folders.set(folder, names);
    }
    return names;
  }

  async function copyObject(hash: string): Promise<void> {
    if (known.has(hash)) return;
    const there = await namesIn(`${OBJECTS_FOLDER}${hash.slice(0, 2)}/`);
    if (!there.has(hash)) {
      const bytes = await getObject(from, hash);
      await to.create(objectKey(hash), bytes);
      onCopied(bytes.length);
    }
    known.add(hash);
  }

  return {
    async copyVersion(manifest) {
      await inParallel(await objectsOf(from, manifest), AT_ONCE, copyObject);
    },
    async copyChange({ change }) {
      if (change === null) return;
      await copyObject(change.added).catch(unlessMissing);
      await copyObject(change.removed).catch(unlessMissing);
    },
  };
}
