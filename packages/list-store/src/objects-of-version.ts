import { objectsIn, readLayers, readShardIndex } from "./layers.ts";
import type { Manifest } from "./manifest.ts";
import type { Storage } from "./storage.ts";

/** Adds the hashes of the objects with a version's change and steps to a set. */
export function addChanges(hashes: Set<string>, { change, steps = [] }: Manifest): void {
  if (change !== null) hashes.add(change.added).add(change.removed);
  for (const { object } of steps) hashes.add(object);
}

/** Adds the hashes of all objects of a version to a set. */
export async function addContents(
  hashes: Set<string>,
  storage: Storage,
  manifest: Manifest,
): Promise<void> {
  const { contents } = manifest;
  addChanges(hashes, manifest);
  hashes.add(contents.layers);
  const { parts, shardIndexes } = objectsIn(await readLayers(storage, manifest));
  for (const part of parts) hashes.add(part);
  for (const index of shardIndexes) {
    hashes.add(index);
    const { shards } = await readShardIndex(storage, index);
    for (const shard of shards) hashes.add(shard);
  }
}
