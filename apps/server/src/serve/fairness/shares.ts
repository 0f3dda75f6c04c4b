/** How much all clients together, and each client, may have at the same time. */
export interface ShareLimits {
  readonly total: number;
  readonly perClient: number;
}

/** A limited resource, such as memory. */
export interface Shares {
  /**
   * Takes an amount, 1 by default; `false` when too little is left, or the client already has its share. The first amount
   * may be of any size.
   */
  take(client: string, amount?: number): boolean;
  /** Whether {@link take} would succeed now. */
  canTake(client: string, amount?: number): boolean;
  /** Returns an amount that was taken. */
  giveBack(client: string, amount?: number): void;
}

/** Counts what clients take, so that none of them can take everything. Clients that have nothing are not remembered. */
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
