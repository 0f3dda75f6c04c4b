import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { StoreError } from "../error.ts";
import type { Manifest } from "../log/manifest.ts";
import { checkObject, getUncheckedObject, type Sha256 } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { type PrefixWords, wordsOf } from "./prefix-words.ts";

/** The prefixes of a version, in both forms in which they are searched. */
export interface Snapshot {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
}

/**
 * Checks the bytes of an object against its hash, and decodes the snapshot in them, here or in another thread. The bytes
 * may be taken away.
 */
export type DecodeSnapshot = (bytes: Uint8Array, object: string) => Snapshot | Promise<Snapshot>;

/** Checks and decodes a snapshot here. `sha256` replaces the SHA-256 in JavaScript. */
export function decodeSnapshot(
  bytes: Uint8Array,
  object: string,
  sha256: Sha256 = fullHash,
): Snapshot {
  const prefixes = decodePrefixList(checkObject(bytes, object, sha256), { sha256 });
  return { prefixes, words: wordsOf(prefixes) };
}

/**
 * The maximum length in bytes of an object with this many prefixes: Rice codes take fewer bytes than their values, and a
 * name is short.
 */
export function mostSnapshotBytes(prefixes: number): number {
  return 2 ** 16 + 8 * prefixes;
}

/** The prefixes of a version, checked against its manifest. */
export async function readSnapshot(
  storage: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<PrefixList> {
  const decode: DecodeSnapshot = (bytes, object) => decodeSnapshot(bytes, object, sha256);
  return (await loadSnapshot(storage, manifest, decode)).prefixes;
}

/** The prefixes of a version in both forms, checked against its manifest. */
export async function loadSnapshot(
  storage: Storage,
  manifest: Manifest,
  decode: DecodeSnapshot,
): Promise<Snapshot> {
  const { contents } = manifest;
  const object = contents.snapshot;
  const most = mostSnapshotBytes(contents.prefixes);
  const snapshot = await decode(await getUncheckedObject(storage, object, most), object);
  return checkSnapshot(snapshot, manifest);
}

/** Returns a snapshot, and throws unless it is the one of a version. */
export function checkSnapshot(snapshot: Snapshot, { contents, list, version }: Manifest): Snapshot {
  const { checksum, size } = snapshot.prefixes;
  if (checksum !== contents.checksum || size !== contents.prefixes) {
    throw new StoreError(
      "damaged",
      `The snapshot of version ${version} of ${list} is not the one that was signed`,
    );
  }
  return snapshot;
}
