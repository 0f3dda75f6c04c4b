import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { Manifest } from "../manifest.ts";
import type { Storage } from "../storage.ts";
import { checkCount, fullHashesIn } from "./hash-layers.ts";
import { readVersion } from "./read-version.ts";

/** The entries of a version, as kept in the store. */
export interface StoredContents {
  readonly fullHashes: readonly Uint8Array[];
}

/** Reads the entries of a version. Throws `missing` when garbage collection has deleted some of them. */
export async function readContents(storage: Storage, manifest: Manifest): Promise<StoredContents> {
  const { words, hashLayers } = await readVersion(storage, manifest);
  const fullHashes: Uint8Array[] = [];
  for await (const piece of fullHashesIn(storage, words, hashLayers)) fullHashes.push(piece);
  checkCount(
    manifest,
    fullHashes.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0),
  );
  return { fullHashes };
}
