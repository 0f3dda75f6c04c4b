import {
  generateSigningKey,
  type Publication,
  type Published,
  publish,
  type Signer,
  type Storage,
  signerOf,
  withdraw,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";

export const DAY: number = 24 * 60 * 60 * 1000;

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
