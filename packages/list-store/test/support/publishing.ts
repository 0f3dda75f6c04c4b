import {
  generateSigningKey,
  type Manifest,
  type Publication,
  type Published,
  publish,
  readEntry,
  type Signer,
  type Storage,
  signerOf,
  withdraw,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { readHashes } from "../../src/contents.ts";
import { formatManifest } from "../../src/manifest.ts";
import { signNote } from "../../src/signed-note.ts";
import { hashOf, objectKey, versionKey } from "../../src/storage.ts";

export const DAY: number = 24 * 60 * 60 * 1000;

/** The full hashes of expressions, one after the other. */
export function hashesOf(expressions: Iterable<string>): Uint8Array {
  return Buffer.concat([...expressions].map((expression) => fullHash(expression)));
}

export async function newSigner(name = "test"): Promise<Signer> {
  return signerOf(await generateSigningKey(name));
}

/** The storage with the times of another clock in its listings. */
export function withClock(storage: Storage, now: () => number): Storage {
  return {
    ...storage,
    async list(folder) {
      const entries = await storage.list(folder);
      return entries.map((entry) => ({ ...entry, modified: entry.modified && now() }));
    },
  };
}

/** A function that publishes lists of expressions to one storage with one key. */
export function publisher(storage: Storage, signer: Signer) {
  return (
    list: string,
    expressions: Iterable<string>,
    { withdrawn = false, ...options }: Partial<Publication> & { withdrawn?: boolean } = {},
  ): Promise<Published> => {
    const renewal = {
      storage: options.now === undefined ? storage : withClock(storage, options.now),
      ...{ list, signer, publicKeys: [signer.publicKey], lifetime: 30 * DAY },
      ...options,
    };
    if (withdrawn) return withdraw(renewal);
    return publish({ fullHashes: [hashesOf(expressions)], ...renewal });
  };
}

/** Replaces the signature of a version, as anyone who can write to the storage could. */
export async function signAgain(
  storage: Storage,
  list: string,
  version: number,
  signer: Signer,
): Promise<void> {
  const { manifest } = (await readEntry(storage, list, version))!;
  await storage.put(versionKey(list, version), await signNote(formatManifest(manifest), signer));
}

interface StoredBase {
  readonly prefixes: string;
  readonly index: string;
  readonly shards: readonly string[];
}

/** The objects of a version's base: its block, the description of its full hashes, and their shards. */
export async function baseOf(storage: Storage, { base }: Manifest): Promise<StoredBase> {
  const { shards } = await readHashes(storage, base.hashes!);
  return { prefixes: base.object, index: base.hashes!, shards };
}

/** Writes an object, as any program could, and returns its hash. */
export async function putObject(storage: Storage, bytes: Uint8Array): Promise<string> {
  const hash = await hashOf(bytes);
  await storage.put(objectKey(hash), bytes);
  return hash;
}

/** A reproducible stream of numbers from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
