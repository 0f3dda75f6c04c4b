import type { Manifest } from "../manifest.ts";
import type { Sha256 } from "../objects.ts";
import type { Storage } from "../storage.ts";
import { type HashLayer, loadHashLayers, makeMentions } from "./hash-layers.ts";
import { type Layers, readLayers } from "./layers.ts";
import { loadSnapshot, makeSnapshot, type Snapshot } from "./snapshot.ts";

/** The prefixes of a version, with the places where they and its full hashes are stored. */
export interface StoredVersion extends Snapshot {
  readonly layers: Layers;
  readonly hashLayers: readonly HashLayer[];
}

/** Reads the prefixes of a version, checks them against its manifest, and finds the places of its full hashes. */
export async function readVersion(
  storage: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<StoredVersion> {
  const layers = await readLayers(storage, manifest);
  const snapshot = await loadSnapshot(storage, manifest, layers, (parts) =>
    makeSnapshot(parts, sha256),
  );
  const hashLayers = await loadHashLayers(storage, layers, [], (stored) =>
    makeMentions(stored, sha256),
  );
  return { layers, ...snapshot, hashLayers };
}
