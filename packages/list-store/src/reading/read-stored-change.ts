import { mostSnapshotBytes } from "../contents/snapshot.ts";
import type { Change } from "../log/manifest.ts";
import { getUncheckedObject } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredChange, StoredObject } from "./join-stored-changes.ts";

/** The objects of a version's change, unchecked. */
export async function readStoredChange(storage: Storage, change: Change): Promise<StoredChange> {
  async function stored(object: string, entries: number): Promise<StoredObject> {
    const bytes = await getUncheckedObject(storage, object, mostSnapshotBytes(entries));
    return { object, bytes };
  }
  const [removed, added] = await Promise.all([
    stored(change.removed, change.removedEntries),
    stored(change.added, change.addedEntries),
  ]);
  return { removed, added };
}
