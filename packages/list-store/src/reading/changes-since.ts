import type { StoredChange } from "../contents/join-stored-changes.ts";
import { type ChangeObjects, type Layers, readLayers, uncounted } from "../contents/layers.ts";
import { getChanges } from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import type { LogEntry } from "../log/entry.ts";
import type { Manifest } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";

/** The change that a version itself made; none when it was only signed again. */
function ownChange({ change }: Manifest): ChangeObjects[] {
  if (change === null) return [];
  const { removed, removedEntries, added, addedEntries } = change;
  // Each removed prefix removes at least one entry, so the entry counts are upper bounds.
  return [{ removed: uncounted(removed, removedEntries), added: uncounted(added, addedEntries) }];
}

/** Where the contents of an older version are; `null` when garbage collection has deleted the index. */
async function layersOf(storage: Storage, manifest: Manifest): Promise<Layers | null> {
  try {
    return await readLayers(storage, manifest);
  } catch (error) {
    if (error instanceof StoreError && error.code === "missing") return null;
    throw error;
  }
}

/** Reads the entry of one of the versions in question. */
type EntryOf = (version: number) => Promise<LogEntry>;
/**
 * Whether the changes found so far, and the number of manifests that must be read to find all changes, are already too
 * much.
 */
type IsTooMuch = (pieces: readonly ChangeObjects[], manifests: number) => boolean;

/** A version and its layers. */
interface NewestVersion {
  readonly entry: LogEntry;
  readonly layers: Layers;
}

/**
 * The changes between two versions, the newest first, in as few parts as possible.
 *
 * The layers of the newest version that begin at or after `since` reach back to some version. The layers of that
 * version reach further back, and so on, unless `usesOlder` is `false`. If a version has no layer that begins at or
 * after `since`, its own change is used instead. The parts need not be trusted: if the resulting list does not have the
 * signed checksum, it is refused.
 */
async function changesSince(
  storage: Storage,
  newest: NewestVersion,
  since: number,
  entryOf: EntryOf,
  isTooMuch: IsTooMuch,
  usesOlder: boolean,
): Promise<Pick<ChangesRead, "pieces"> & { manifests: number }> {
  const pieces: ChangeObjects[] = [];
  let manifests = 0;
  const read = async (version: number) => {
    manifests++;
    const { manifest } = await entryOf(version);
    return { manifest, layers: usesOlder ? await layersOf(storage, manifest) : null };
  };
  let at: { manifest: Manifest; layers: Layers | null } = {
    manifest: newest.entry.manifest,
    layers: newest.layers,
  };
  for (;;) {
    // The first version with the same prefixes as this one.
    const first = at.manifest.contents.since;
    // Without layers, the manifest of each version must be read.
    const toRead = at.layers === null ? first - since : 0;
    if (first <= since || isTooMuch(pieces, manifests + toRead)) break;
    if (first < at.manifest.version) at = await read(first);
    const usable = at.layers?.layers.filter(({ after }) => after >= since) ?? [];
    pieces.push(...(usable.length > 0 ? usable.toReversed() : ownChange(at.manifest)));
    const before = usable[0]?.after ?? at.manifest.version - 1;
    if (before <= since) break;
    at = await read(before);
  }
  return { pieces, manifests };
}

/** The changes between two versions. */
export interface ChangesRead {
  /** The changes, the newest first. */
  readonly pieces: readonly ChangeObjects[];
  /** The objects of the changes; `null` when the changes are too much. */
  readonly stored: readonly StoredChange[] | null;
}

/** Reads the changes between two versions, in as few parts as possible, unless they are too much. */
export async function readChangesSince(
  storage: Storage,
  newest: NewestVersion,
  since: number,
  entryOf: EntryOf,
  isTooMuch: IsTooMuch,
): Promise<ChangesRead> {
  const read = async (usesOlder: boolean): Promise<ChangesRead> => {
    const found = await changesSince(storage, newest, since, entryOf, isTooMuch, usesOlder);
    const { pieces, manifests } = found;
    return {
      pieces,
      stored: isTooMuch(pieces, manifests) ? null : await getChanges(storage, pieces),
    };
  };
  try {
    return await read(true);
  } catch (error) {
    // Garbage collection may keep a version's own change for longer than its layers.
    if (error instanceof StoreError && error.code === "missing") return read(false);
    throw error;
  }
}
