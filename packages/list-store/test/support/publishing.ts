import { readFileSync } from "node:fs";
import { fullHash } from "@x/sha256-prefix";
import { type Publication, type Published, publish } from "../../src/publishing/publish.ts";
import { generateSigningKey, type Signer, signerOf } from "../../src/log/signed-note.ts";
import { directoryStorage } from "../../../../apps/server/src/storage/directory-storage.ts";
import type { Storage } from "../../src/storage/storage.ts";

export const DAY = 24 * 60 * 60 * 1000;

/** The full hashes of expressions, one after the other. */
export function hashesOf(expressions: Iterable<string>): Uint8Array {
  return Buffer.concat([...expressions].map((expression) => fullHash(expression)));
}

export async function newSigner(name = "test"): Promise<Signer> {
  return signerOf(await generateSigningKey(name));
}

/** The storage with another clock. */
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
    options: Partial<Publication> = {},
  ): Promise<Published> =>
    publish({
      storage: options.now === undefined ? storage : withClock(storage, options.now),
      list,
      fullHashes: [hashesOf(expressions)],
      signer,
      publicKeys: [signer.publicKey],
      lifetime: 30 * DAY,
      ...options,
    });
}

/** Publishes to the store in a directory a list that expires sooner than the command allows. */
export async function publishBriefly(
  directory: string,
  expressions: Iterable<string>,
  lifetime: number,
): Promise<Published> {
  const signer = await signerOf(readFileSync(`${directory}.key`, "utf8"));
  const options = { lifetime, renewWithin: 60 * DAY };
  return publisher(directoryStorage(directory), signer)("malware", expressions, options);
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
