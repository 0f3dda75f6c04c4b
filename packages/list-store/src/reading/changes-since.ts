import type { StoredChange } from "../contents/join-stored-changes.ts";
import { type ChangeObjects, type Layers, readLayers, uncounted } from "../contents/layers.ts";
import { getChanges } from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import type { LogEntry } from "../log/commit-log.ts";
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

/** Reads the entry of a version between the two. */
type EntryOf = (version: number) => Promise<LogEntry>;
/** Whether the changes so far are already too much. */
type IsTooMuch = (pieces: readonly ChangeObjects[]) => boolean;

/** A version and its layers. */
interface NewestVersion {
  readonly entry: LogEntry;
  readonly layers: Layers;
}

/**
 * The changes between two versions, the newest first, in as few parts as possible.
 *
 * The layers of the newest version reach back to some version not older than `since`; those of that version reach further
 * back, and so on, unless `usesOlder` is `false`. Where no layer ends, a version's own change is used. The parts need not be
 * trusted: if the resulting list does not have the signed checksum, it is refused.
 */
async function changesSince(
  storage: Storage,
  newest: NewestVersion,
  since: number,
  entryOf: EntryOf,
  isTooMuch: IsTooMuch,
  usesOlder: boolean,
): Promise<ChangeObjects[]> {
  const pieces: ChangeObjects[] = [];
  let { manifest } = newest.entry;
  let layers: Layers | null = newest.layers;
  for (;;) {
    // The first version with these prefixes; all later ones have the same.
    const first = manifest.contents.since;
    if (first <= since || isTooMuch(pieces)) break;
    if (first < manifest.version) {
      manifest = (await entryOf(first)).manifest;
      layers = usesOlder ? await layersOf(storage, manifest) : null;
    }
    const usable = layers?.layers.filter(({ after }) => after >= since) ?? [];
    pieces.push(...(usable.length > 0 ? usable.toReversed() : ownChange(manifest)));
    const before = usable[0]?.after ?? manifest.version - 1;
    if (before <= since) break;
    manifest = (await entryOf(before)).manifest;
    layers = usesOlder ? await layersOf(storage, manifest) : null;
  }
  return pieces;
}

/** The changes between two versions. */
export interface ChangesRead {
  /** The newest first. */
  readonly pieces: readonly ChangeObjects[];
  /** Their objects; `null` when the changes are too much. */
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
    const pieces = await changesSince(storage, newest, since, entryOf, isTooMuch, usesOlder);
    return { pieces, stored: isTooMuch(pieces) ? null : await getChanges(storage, pieces) };
  };
  try {
    return await read(true);
  } catch (error) {
    // Garbage collection keeps the versions' own changes for longer than their layers.
    if (error instanceof StoreError && error.code === "missing") return read(false);
    throw error;
  }
}
