import type { Change } from "../contents/change.ts";
import { type Layers, type StoredPrefixes, uncounted } from "../contents/layers.ts";
import { getChanges } from "../contents/snapshot.ts";
import type { StoredObject } from "../contents/stored-prefixes.ts";
import type { LogEntry, Manifest } from "../manifest.ts";
import type { Storage } from "../storage.ts";
import type { ChangeCounts } from "./difference-or-full-update.ts";

/** The change that a version itself made; none when it was only signed again. */
function ownChange({ change }: Manifest): Change<StoredPrefixes>[] {
  if (change === null) return [];
  const { removed, removedEntries, added, addedEntries } = change;
  // Each changed prefix stands for at least one changed entry, so the entry counts are upper bounds.
  return [{ removed: uncounted(removed, removedEntries), added: uncounted(added, addedEntries) }];
}

/** The numbers of prefixes in the objects of changes. */
function countsOf(changes: readonly Change<StoredPrefixes | null>[]): ChangeCounts {
  return {
    removed: changes.reduce((sum, { removed }) => sum + (removed?.count ?? 0), 0),
    added: changes.reduce((sum, { added }) => sum + (added?.count ?? 0), 0),
  };
}

interface NewestVersion {
  readonly entry: LogEntry;
  readonly layers: Layers;
}

/**
 * Reads the changes between two versions, the newest first; `null` when `isTooMuch` returns `true` for the changes
 * found so far. Servers and publishers join these changes, not steps. Clients refuse a difference that removes and adds
 * the same prefix, and steps do not show such prefixes, because their removals are indices.
 *
 * The layers of the newest version that begin at or after `since` are joined changes. From the version before them back
 * to `since`, each version's own change is read. The changes need not be trusted: if the resulting list does not have
 * the signed checksum, it is refused.
 *
 * @throws {StoreError} `missing` when garbage collection has deleted a change.
 */
export async function readChangesSince(
  storage: Storage,
  { entry, layers }: NewestVersion,
  since: number,
  entryOf: (version: number) => Promise<LogEntry>,
  isTooMuch: (counts: ChangeCounts) => boolean,
): Promise<Change<StoredObject | null>[] | null> {
  const usable = layers.layers.filter(({ after }) => after >= since);
  const changes: Change<StoredPrefixes | null>[] = usable.toReversed();
  let version = usable[0]?.after ?? entry.manifest.version;
  while (version > since && !isTooMuch(countsOf(changes))) {
    const { manifest } = await entryOf(version);
    // Later versions with the same prefixes did not change them, so only the change of the first of these versions is
    // read.
    const first = manifest.contents.since;
    if (first < version) version = Math.max(first, since);
    else {
      changes.push(...ownChange(manifest));
      version--;
    }
  }
  return isTooMuch(countsOf(changes)) ? null : getChanges(storage, changes);
}
