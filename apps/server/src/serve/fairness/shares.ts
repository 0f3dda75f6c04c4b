/** The maximum amounts that all clients together and each client may hold at the same time. */
export interface ShareLimits {
  readonly total: number;
  readonly perClient: number;
}

/** A limited resource that clients share, such as memory. */
export interface Shares {
  /**
   * Takes an amount, 1 by default. Returns `false` if the amount would exceed a limit. The limit of a client does not
   * apply while the client holds nothing, nor does the total limit while nobody holds anything.
   */
  take(client: string, amount?: number): boolean;
  /** Whether {@link take} would succeed now. */
  canTake(client: string, amount?: number): boolean;
  /** Returns an amount that was taken. */
  giveBack(client: string, amount?: number): void;
}

/** Counts the amounts that clients hold. Clients that hold nothing are forgotten. */
export function shares({ total, perClient }: ShareLimits): Shares {
  const held = new Map<string, number>();
  let used = 0;
  function canTake(client: string, amount = 1): boolean {
    const own = held.get(client) ?? 0;
    return (own === 0 || own + amount <= perClient) && (used === 0 || used + amount <= total);
  }
  return {
    canTake,
    take(client, amount = 1) {
      if (!canTake(client, amount)) return false;
      held.set(client, (held.get(client) ?? 0) + amount);
      used += amount;
      return true;
    },
    giveBack(client, amount = 1) {
      const left = (held.get(client) ?? 0) - amount;
      if (left > 0) held.set(client, left);
      else held.delete(client);
      used -= amount;
    },
  };
}
