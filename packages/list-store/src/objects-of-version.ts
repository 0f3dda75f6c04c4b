import { type BlockObjects, isWritten, readBlock } from "./block.ts";
import { blocksTo, readHashes } from "./contents.ts";
import type { Manifest } from "./manifest.ts";
import type { Storage } from "./storage.ts";

/** Adds the hashes of blocks to a set, without their full hashes. */
export function addBlocks(hashes: Set<string>, { blocks }: Pick<Manifest, "blocks">): void {
  for (const { object } of blocks) if (object !== null) hashes.add(object);
}

/** Adds the hashes of all objects of a version to a set. */
export async function addContents(
  hashes: Set<string>,
  storage: Storage,
  manifest: Manifest,
): Promise<void> {
  async function add({ object, hashes: described }: BlockObjects): Promise<void> {
    hashes.add(object);
    if (described === null || hashes.has(described)) return;
    const { rests, shards } = await readHashes(storage, described);
    for (const each of [described, rests, ...shards]) hashes.add(each);
  }
  for (const block of [manifest.base, ...manifest.blocks.filter(isWritten)]) await add(block);
  await blocksTo(manifest, async (link) => {
    await add(link);
    return readBlock(storage, link);
  });
}
