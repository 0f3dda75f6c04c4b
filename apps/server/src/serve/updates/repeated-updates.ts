import { createHash, randomBytes } from "node:crypto";

const DAY = 24 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which differences were sent to whom. */
export interface RepeatedUpdates {
  /**
   * Whether a client that asks from this token was sent a difference from it before, so that it seems to have failed.
   * The client is forgotten then: after the full update it gets, it may ask from the same token again.
   */
  isRepeated(client: string, token: string): boolean;
  remember(client: string, token: string): void;
}

/**
 * A client whose update failed asks again from where it was. It gets a full update then, because the same difference
 * would most likely fail again. Clients that cannot be told apart cost each other full updates, never a wrong one.
 *
 * Only salted hashes are kept, for a day.
 */
export function repeatedUpdates(now: () => number = Date.now): RepeatedUpdates {
  const salt = randomBytes(16);
  const sent = new Map<string, number>();
  const keyOf = (client: string, token: string) =>
    createHash("sha256").update(salt).update(`${client}\n${token}`).digest("base64");
  return {
    isRepeated(client, token) {
      const key = keyOf(client, token);
      const when = sent.get(key);
      sent.delete(key);
      return when !== undefined && now() - when < DAY;
    },
    remember(client, token) {
      // A map keeps the order of insertion, so that its first key is the oldest.
      if (sent.size >= MAX_REMEMBERED) sent.delete(sent.keys().next().value!);
      sent.set(keyOf(client, token), now());
    },
  };
}
