import { mostSnapshotBytes } from "../contents/snapshot.ts";
import type { Change } from "../log/manifest.ts";
import { getUncheckedObject } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredChange, StoredObject } from "./join-stored-changes.ts";

async function read(storage: Storage, object: string, entries: number): Promise<StoredObject> {
  const bytes = await getUncheckedObject(storage, object, mostSnapshotBytes(entries));
  return { object, bytes };
}

/** The object with the prefixes that a version added, unchecked. */
export function readAdditions(
  storage: Storage,
  { added, addedEntries }: Change,
): Promise<StoredObject> {
  return read(storage, added, addedEntries);
}

/** The objects of a version's change, unchecked. */
export async function readStoredChange(storage: Storage, change: Change): Promise<StoredChange> {
  const [removed, added] = await Promise.all([
    read(storage, change.removed, change.removedEntries),
    readAdditions(storage, change),
  ]);
  return { removed, added };
}
