import { createHash } from "node:crypto";
import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { StoreError } from "../error.ts";
import type { Manifest } from "../log/manifest.ts";
import { checkObject, getUncheckedObject } from "../objects.ts";
import { type PrefixWords, wordsOf } from "./prefix-words.ts";
import type { Storage } from "../storage/storage.ts";

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

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

export function decodeSnapshot(bytes: Uint8Array, object: string): Snapshot {
  const prefixes = decodePrefixList(checkObject(bytes, object), { sha256 });
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
export async function readSnapshot(storage: Storage, manifest: Manifest): Promise<PrefixList> {
  return (await loadSnapshot(storage, manifest, decodeSnapshot)).prefixes;
}

/** The prefixes of a version in both forms, checked against its manifest. */
export async function loadSnapshot(
  storage: Storage,
  { contents, list, version }: Manifest,
  decode: DecodeSnapshot,
): Promise<Snapshot> {
  const object = contents.snapshot;
  const most = mostSnapshotBytes(contents.prefixes);
  const snapshot = await decode(await getUncheckedObject(storage, object, most), object);
  const { checksum, size } = snapshot.prefixes;
  if (checksum !== contents.checksum || size !== contents.prefixes) {
    throw new StoreError(
      "damaged",
      `The snapshot of version ${version} of ${list} is not the one that was signed`,
    );
  }
  return snapshot;
}
