import { type ChangeObjects, type Layers, readLayers, uncounted } from "../contents/layers.ts";
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

/**
 * The changes between two versions, the newest first, in few pieces.
 *
 * The layers of the newest version reach back to some version not older than `since`; those of that version reach further
 * back, and so on. Where no layer ends, a version's own change is used. The pieces need not be trusted: what they make of
 * the older list has the checksum that was signed, or is refused.
 *
 * @param entryOf reads the entry of a version between the two.
 * @param isEnough says whether the pieces so far are already too many. Then no more are gathered.
 */
export async function changesSince(
  storage: Storage,
  newest: { readonly entry: LogEntry; readonly layers: Layers },
  since: number,
  entryOf: (version: number) => Promise<LogEntry>,
  isEnough: (pieces: readonly ChangeObjects[]) => boolean = () => false,
): Promise<ChangeObjects[]> {
  const pieces: ChangeObjects[] = [];
  let { manifest } = newest.entry;
  let layers: Layers | null = newest.layers;
  while (manifest.version > since && !isEnough(pieces)) {
    const usable = layers?.layers.filter(({ after }) => after >= since) ?? [];
    pieces.push(...(usable.length > 0 ? usable.toReversed() : ownChange(manifest)));
    const before = usable[0]?.after ?? manifest.version - 1;
    if (before <= since) break;
    manifest = (await entryOf(before)).manifest;
    layers = await layersOf(storage, manifest);
  }
  return pieces;
}
