import { hash, randomBytes } from "node:crypto";

const DAY = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which differences were sent to whom. */
export interface RepeatedUpdates {
  /** What stands for a client and the token it asks from. */
  keyOf(client: string, token: string): string;
  /**
   * Whether the client was sent a difference from this token before, so that it seems to have failed. The client is
   * forgotten then: after the full update it gets, it may ask from the same token again.
   */
  isRepeated(key: string): boolean;
  /** To be called when the client is sent a difference. */
  remember(key: string): void;
}

/**
 * A client whose update failed asks again from where it was. It gets a full update then, because the same difference
 * would most likely fail again. Clients that cannot be told apart cost each other full updates, never a wrong one.
 *
 * Only salted hashes are kept, for a day.
 */
export function repeatedUpdates(now: () => number = Date.now): RepeatedUpdates {
  const salt = randomBytes(16).toString("hex");
  // The older half is dropped at once: see the answer cache.
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    keyOf: (client, token) => hash("sha256", `${salt}\n${client}\n${token}`, "base64"),
    isRepeated(key) {
      const when = young.get(key) ?? old.get(key);
      if (when === undefined) return false;
      young.delete(key);
      old.delete(key);
      return now() - when < DAY;
    },
    remember(key) {
      if (young.size >= MAX_REMEMBERED / 2) {
        old = young;
        young = new Map();
      }
      young.set(key, now());
    },
  };
}
