import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { Manifest } from "../log/manifest.ts";
import type { Storage } from "../storage/storage.ts";
import { checkCount, fullHashesIn, loadHashLayers } from "./hash-layers.ts";
import {
  encodeHosts,
  type HostNames,
  type HostNamesIndex,
  type NamedHost,
  readHostNamesIndex,
  readHosts,
} from "./host-names.ts";
import { readLayers } from "./layers.ts";
import { readSnapshot } from "./snapshot.ts";

/** The host names of a version. */
export interface StoredNames {
  readonly index: HostNamesIndex;
  /** The hosts of each shard. */
  readonly shards: readonly (readonly NamedHost[])[];
}

/** The entries of a version, as the store has kept them. */
export interface StoredContents {
  readonly fullHashes: readonly Uint8Array[];
  readonly names: StoredNames | null;
}

export async function readNames(storage: Storage, hash: string): Promise<StoredNames> {
  const index = await readHostNamesIndex(storage, hash);
  const shards: NamedHost[][] = [];
  for (const shard of index.shards) shards.push(await readHosts(storage, shard));
  return { index, shards };
}

/** The entries of a version. Throws when garbage collection has deleted a part of them. */
export async function readContents(storage: Storage, manifest: Manifest): Promise<StoredContents> {
  const { contents } = manifest;
  const layers = await readLayers(storage, manifest);
  const { words } = await readSnapshot(storage, manifest);
  const hashLayers = await loadHashLayers(storage, layers);
  const fullHashes: Uint8Array[] = [];
  for await (const piece of fullHashesIn(storage, words, hashLayers)) fullHashes.push(piece);
  checkCount(
    manifest,
    fullHashes.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0),
  );
  const names = contents.names === undefined ? null : await readNames(storage, contents.names);
  return { fullHashes, names };
}

/** The names again, for publishing them without some hosts. */
export function namesWithout(
  { index, shards }: StoredNames,
  leavesOut: (host: string) => boolean,
  isPublicSuffix: (host: string) => boolean,
): HostNames {
  const kept = shards.map((hosts) => hosts.filter(({ host }) => !leavesOut(host)));
  const all = kept.flat();
  const countOf = (hosts: readonly NamedHost[]) => ({
    hosts: hosts.length,
    bytes: hosts.reduce((sum, { host }) => sum + host.length, 0),
  });
  const { unnamed, isPublic } = index;
  return {
    parts: kept.map(encodeHosts),
    below: countOf(all.filter(({ isBelow }) => isBelow)),
    alone: countOf(all.filter(({ isBelow }) => !isBelow)),
    publicSuffixes: all.filter(({ host }) => isPublicSuffix(host)).length,
    unnamed,
    isPublic,
  };
}
