import { hash, randomBytes } from "node:crypto";

const DAY = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which differences were sent to which client. */
export interface RepeatedUpdates {
  /** A key for a client and the token in its request. */
  keyOf(client: string, token: string): string;
  /**
   * Whether a difference from this token was sent to the client before, and so seems to have failed. The client is
   * then forgotten: after its full update, it may ask from the same token again.
   */
  isRepeated(key: string): boolean;
  /** Call this when a difference is sent to the client. */
  remember(key: string): void;
}

/**
 * A client whose update failed asks from the same token again. It then gets a full update, because the same difference
 * would probably fail again. Clients that look the same cause unnecessary full updates for each other, but never wrong
 * ones.
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
