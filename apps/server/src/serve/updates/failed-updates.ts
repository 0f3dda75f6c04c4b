import { randomInt } from "node:crypto";

const HALF_A_DAY = 12 * 60 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Remembers which tokens each client was given, and from which tokens it was sent differences. */
interface FailedUpdates {
  /** A key for a client and a token, made by hashing both. */
  keyOf(client: string, token: string): number;
  /**
   * Whether a difference from the token of this key seems to have failed. If so, the next request is not counted as a
   * failure: after its full update, the client may ask again from the same token.
   */
  hasFailed(key: number): boolean;
  /** Call this when the client is given the token, but not when a full update after a failed difference gives it again. */
  rememberGiven(key: number): void;
  /** Call this when a difference from the token is sent to the client. */
  rememberSent(key: number): void;
}

/** The facts that are remembered about a client and a token. */
interface Memory {
  /** How many more differences the client may get from the token; {@link MAX_LEFT} stands for any number. */
  readonly left: number;
  /** When the client got the first difference, in milliseconds since 1970; `null` if it has not got one yet. */
  readonly since: number | null;
}

const MAX_LEFT = 2 ** 16 - 1;

/**
 * A client whose update failed asks again from the same token. The client then gets a full update, because the same
 * difference would probably fail again.
 *
 * Many identical browsers behind one address look like one client. So a client may ask from a token as often as it was
 * given that token. Some browsers never ask from a token that they were given, and a browser whose update fails could
 * ask in their place. So every request later than one and a half update intervals after the first difference counts as
 * a failure. By then, all running browsers have asked, and a browser whose update failed has asked at most twice more.
 * When nothing is known about a token, for instance after a restart, only the time counts.
 *
 * A rule without memory would be to send the whole list now and then to anyone whose token is old. But after a night,
 * every token is old: with one whole list in eight, a client that asks once a day would download seven times as much.
 *
 * Clients that look the same can cause unnecessary full updates for each other, but never wrong ones. Only hashes are
 * kept, for a day at most. If two hashes are equal by chance, the cost is a few full updates.
 */
export function failedUpdates(wait: number, now: () => number = Date.now): FailedUpdates {
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  // There are two halves. The older half is dropped when the younger half is full or half a day old.
  let young = new Map<number, Memory>();
  let old: ReadonlyMap<number, Memory> = new Map();
  let youngSince = now();
  function recall(key: number): Memory | null {
    const age = now() - youngSince;
    if (young.size >= MAX_REMEMBERED / 2 || age >= HALF_A_DAY) {
      old = age >= 2 * HALF_A_DAY ? new Map() : young;
      young = new Map();
      youngSince = now();
    }
    return young.get(key) ?? old.get(key) ?? null;
  }
  return {
    keyOf: (client, token) => longHashText(`${client}\n${token}`, seeds),
    hasFailed(key) {
      const memory = recall(key);
      if (memory === null || memory.since === null) return false;
      const isLate = now() - memory.since > 1.5 * wait;
      if (memory.left > 0 && !isLate) return false;
      young.set(key, { left: 1, since: null });
      return true;
    },
    rememberGiven(key) {
      const { left, since } = recall(key) ?? { left: 0, since: null };
      young.set(key, { left: Math.min(left + 1, MAX_LEFT), since });
    },
    rememberSent(key) {
      const { left, since } = recall(key) ?? { left: MAX_LEFT, since: null };
      const leftAfter = left === MAX_LEFT ? left : Math.max(left - 1, 0);
      young.set(key, { left: leftAfter, since: since ?? now() });
    },
  };
}

const PRIME = 0x01000193;

/** A hash of 53 bits, the most that a number holds exactly, from two FNV-1a hashes with 32-bit seeds. */
function longHashText(text: string, [one, other]: readonly [number, number]): number {
  let [high, low] = [one, other];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, PRIME);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
