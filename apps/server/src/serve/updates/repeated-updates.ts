import { randomInt } from "node:crypto";
import { hashText } from "../hash-text.ts";
import { KeySet } from "./key-set.ts";

const HALF_A_DAY = 12 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which differences were sent to which client. */
export interface RepeatedUpdates {
  /** A key for a client and the token in its request. */
  keyOf(client: string, token: string): number;
  /**
   * Whether a difference from this token was sent to the client before, and so seems to have failed. The client is
   * then forgotten: after its full update, it may ask from the same token again.
   */
  isRepeated(key: number): boolean;
  /** Call this when a difference is sent to the client. */
  remember(key: number): void;
}

/**
 * A client whose update failed asks from the same token again. It then gets a full update, because the same difference
 * would probably fail again. Clients that look the same cause unnecessary full updates for each other, but never wrong
 * ones.
 *
 * Only hashes are kept, for a day at most. If two are equal by chance, the cost is one full update.
 */
export function repeatedUpdates(now: () => number = Date.now): RepeatedUpdates {
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  // The older half is dropped at once: see the answer cache.
  let young = new KeySet(MAX_REMEMBERED / 2);
  let old = new KeySet(MAX_REMEMBERED / 2);
  let since = now();
  function dropOld(): void {
    const age = now() - since;
    if (!young.isFull && age < HALF_A_DAY) return;
    [young, old] = [old, young];
    young.clear();
    if (age >= 2 * HALF_A_DAY) old.clear();
    since = now();
  }
  return {
    keyOf(client, token) {
      const text = `${client}\n${token}`;
      // 53 bits, which a number holds exactly.
      return hashText(text, seeds[0]) * 2 ** 21 + (hashText(text, seeds[1]) >>> 11);
    },
    isRepeated(key) {
      dropOld();
      const isYoung = young.delete(key);
      return old.delete(key) || isYoung;
    },
    remember(key) {
      dropOld();
      young.add(key);
    },
  };
}
