import type { StoredChange } from "../contents/join-stored-changes.ts";
import { type ChangeObjects, type Layers, readLayers, uncounted } from "../contents/layers.ts";
import { getChanges } from "../contents/snapshot.ts";
import { StoreError } from "../error.ts";
import type { LogEntry } from "../log/commit-log.ts";
import type { Manifest } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";

/** The change that a version made by itself; none when it was only signed again. */
function ownChange({ change }: Manifest): ChangeObjects[] {
  if (change === null) return [];
  const { removed, removedEntries, added, addedEntries } = change;
  // A removed prefix takes at least one entry with it.
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

/** Reads the entry of a version between two. */
type EntryOf = (version: number) => Promise<LogEntry>;
/** Whether these are already too many pieces. */
type IsTooMuch = (pieces: readonly ChangeObjects[]) => boolean;

/** A version, and where its contents are. */
interface NewestVersion {
  readonly entry: LogEntry;
  readonly layers: Layers;
}

/**
 * The changes between two versions, the newest first, in few pieces.
 *
 * The layers of the newest version reach back to some version not older than `since`; those of that version reach further
 * back, and so on, unless `usesOlder` is `false`. Where no layer ends, a version's own change is used. The pieces need not
 * be trusted: what they make of the older list has the checksum that was signed, or is refused.
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
    // All versions from this one on have the same prefixes.
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
  /** Their objects; `null` when there are too many pieces. */
  readonly stored: readonly StoredChange[] | null;
}

/** Reads the changes between two versions, in few pieces, unless those are too much. */
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
    // Garbage collection keeps what versions changed themselves for longer than the layers that they have.
    if (error instanceof StoreError && error.code === "missing") return read(false);
    throw error;
  }
}
