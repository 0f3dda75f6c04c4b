import { isIPv4, isIPv6 } from "node:net";
import { setTimeout as after, setImmediate as nextTurn } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import { HttpProblem } from "./http/reply.ts";

/*
 * Clients share the server in two ways: they take turns, and each holds only a share of the memory. The two tables
 * below name everything that is shared. Answers that wait for slow readers have a budget of their own, in
 * answer-memory.ts.
 */

function refusal(message: string, seconds: number): () => HttpProblem {
  return () => new HttpProblem(429, message, { "Retry-After": String(seconds) });
}

/** What clients take turns at. */
export const QUEUES = {
  /** The parts of long computations. */
  parts: {
    ...{ atOnce: 1, perClient: 1000, total: 10_000 },
    refusal: refusal("Too many requests are waiting.", 1),
  },
  /** Lookups of many URLs. Each takes several megabytes. */
  lookUps: {
    ...{ atOnce: 8, perClient: 1000, total: 10_000 },
    refusal: refusal("Too many requests are waiting.", 1),
  },
  /** Joining the changes since a client's version. */
  joins: {
    ...{ atOnce: 1, perClient: 32, total: 1000 },
    refusal: refusal("Too many updates are waiting.", 60),
  },
  /** Searches that are sent to another server. */
  upstreamSearches: {
    ...{ atOnce: 8, perClient: 100, total: 1000 },
    refusal: refusal("Too many searches are waiting.", 1),
  },
  /** Reading the parts of long bodies. Each connection has at most one place in the queue. */
  bodies: {
    ...{ atOnce: 1, perClient: Infinity, total: Infinity },
    refusal: () => new Error("unreachable"),
  },
} satisfies Record<string, FairQueueOptions>;

/** What clients hold shares of. */
export const SHARES = {
  connections: { total: 10_000, perClient: 1000 },
  /** The bytes of request bodies in memory. A body counts until its request is answered. */
  bodies: { total: 96 * 2 ** 20, perClient: 24 * 2 ** 20 },
  /** Open streams of lookups. Each takes at most a megabyte of memory. */
  streams: { total: 64, perClient: 16 },
} satisfies Record<string, ShareLimits>;

/** Runs tasks in turns: each waiting client gets one task run before any other client gets two. */
export interface FairQueue {
  /**
   * Runs a task when it is its client's turn, and returns its result.
   *
   * @throws the error that `refusal` of {@link FairQueueOptions} makes, when too many tasks are waiting.
   */
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result>;
}

interface FairQueueOptions {
  /** How many tasks may run at the same time. */
  readonly atOnce: number;
  /** How many tasks of one client may wait. */
  readonly perClient: number;
  /** How many tasks may wait in total. */
  readonly total: number;
  /** Makes the error for a task when too many are waiting. */
  readonly refusal: () => Error;
}

export function fairQueue({ atOnce, perClient, total, refusal }: FairQueueOptions): FairQueue {
  /** The waiting tasks of each client, in the order in which the clients have their next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let running = 0;

  function startNext(): void {
    for (const [client, tasks] of waiting) {
      if (running >= atOnce) return;
      waiting.delete(client);
      const start = tasks.shift()!;
      if (tasks.length > 0) waiting.set(client, tasks);
      count--;
      running++;
      start();
    }
  }

  function end(): void {
    running--;
    startNext();
  }

  return {
    run(client, task) {
      const tasks = waiting.get(client) ?? [];
      if (tasks.length >= perClient || count >= total) return Promise.reject(refusal());
      return new Promise((resolve, reject) => {
        tasks.push(() => {
          const done = task();
          done.then(end, end);
          done.then(resolve, reject);
        });
        waiting.set(client, tasks);
        count++;
        startNext();
      });
    },
  };
}

/**
 * Waits for a client's turn. The work from then until the next `await` is one part. Between two turns, all other
 * requests that have arrived make progress.
 *
 * @throws the error that `refusal` makes, when too many turns are waiting.
 */
export type Turns = (client: string) => Promise<void>;

interface TurnsOptions extends Omit<FairQueueOptions, "atOnce"> {
  /** The time in milliseconds. */
  readonly now?: () => number;
  /** Waits for this many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** A part that takes at least this many milliseconds is followed by a pause. */
const LONG = 4;

/**
 * Shares the event loop among clients, which take turns one at a time.
 *
 * Some requests, such as those that read a file or arrive over a new connection, need the event loop several times. If
 * a long part ran before each time, a request would wait for several parts. So after a long part, other requests have
 * the event loop for a quarter of the time that the part took.
 */
export function turns({
  now = () => performance.now(),
  pause = (milliseconds) => after(milliseconds),
  ...options
}: TurnsOptions): Turns {
  const queue = fairQueue({ ...options, atOnce: 1 });
  /** Settles when the last part and the pause after it are over. */
  let rest = Promise.resolve();

  async function restAfter(start: number): Promise<void> {
    await nextTurn();
    const taken = now() - start;
    if (taken >= LONG) await pause(taken / 4);
  }

  return (client) =>
    queue.run(client, async () => {
      await rest;
      await nextTurn();
      rest = restAfter(now());
    });
}

/** The maximum amounts that all clients together and each client may hold at the same time. */
interface ShareLimits {
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

const WITH_PORT = /^(?:\[(.*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** A client address that cannot be parsed is cut to this many characters. */
const MAX_NAME_LENGTH = 64;
const NETWORK_GROUPS = 4;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one subscriber usually
 * has a whole /64.
 */
export function networkOf(address: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(address) ?? [];
  const [plain = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  // A dual-stack socket reports IPv4 addresses with the prefix `::ffff:`. Removing the prefix is faster than parsing.
  const ipv4 = plain.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(ipv4)) return ipv4;
  if (!isIPv6(plain)) return plain.slice(0, MAX_NAME_LENGTH);
  const parsed = ipaddr.IPv6.parse(plain);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
