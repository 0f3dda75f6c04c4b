import type { Storage } from "@x/list-store";
import { getObject, type OpenList } from "@x/list-store/serving";
import { fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { forEachInTurn, type MaybePromise } from "../maybe-promise.ts";
import type { ServedList } from "./served-lists.ts";
import type { FoundHashes, ServedVersion } from "./served-version.ts";

/** The result for a prefix that is not on the list. */
export const NOTHING_FOUND: FoundHashes = { hashes: [], forFrames: [], expires: Infinity };

/** The memory that cached shards of full hashes may use. All shards of a million entries fit in it. */
const MAX_CACHED_BYTES = 32 * 2 ** 20;

/** How many shards may be read at once, and how many reads may wait. Each request reads one shard at a time. */
const READS = {
  ...{ atOnce: 4, perClient: 1000, total: 4000 },
  refusal: () => new HttpProblem(429, "Too many searches are waiting.", { "Retry-After": "1" }),
};

/** Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. `network` returns the client's network. */
export type FullHashFinder = (
  list: ServedVersion,
  prefix: Uint8Array,
  network: () => string,
) => MaybePromise<FoundHashes>;

/** Asks other servers about all prefixes at once, rather than about one prefix after another. */
export function askAhead(
  lists: readonly Pick<ServedList, "loaded">[],
  prefixes: readonly Uint8Array[],
  network: () => string,
): MaybePromise<void> {
  if (prefixes.length < 2) return;
  return forEachInTurn(lists, ({ loaded }) => {
    if (loaded === null || loaded.hashLayers !== undefined) return;
    const asked = loaded.ask(prefixes, network);
    // Ignore errors here: they occur again when each prefix is searched for.
    return asked instanceof Promise ? asked.catch(() => {}) : asked;
  });
}

interface CachedShard {
  readonly name: string;
  /** A promise while the shard is being read. */
  bytes: MaybePromise<Uint8Array>;
  size: number;
  /** The number of its last use. The uses of all shards are numbered in order. */
  used: number;
}

/** Sorts prefixes, so that the prefixes of each shard are next to each other. */
export function inShardOrder(prefixes: readonly Uint8Array[]): Uint8Array[] {
  return [...prefixes].sort(Buffer.compare);
}

/** Copies hashes out of a shard. Views would keep the whole shard in memory until the answer is sent. */
function copiesOf(views: readonly Uint8Array[]): FoundHashes {
  return { ...NOTHING_FOUND, hashes: views.map((view) => new Uint8Array(view)) };
}

/**
 * A finder that keeps recently used shards in memory.
 *
 * No shard is read for a prefix that is not on the list. A shard that cannot be read is an error: an answer without its
 * hashes would be wrong.
 */
export function fullHashFinder(
  storage: Storage,
  onLost: (list: OpenList, object: string, error: unknown) => void,
  maxCachedBytes: number = MAX_CACHED_BYTES,
): FullHashFinder {
  const reads = fairQueue(READS);
  const shards = new Map<string, CachedShard>();
  let uses = 0;
  let cached = 0;

  function forget({ name, size }: CachedShard): void {
    shards.delete(name);
    cached -= size;
  }

  function makeRoom(newest: CachedShard): void {
    while (cached > maxCachedBytes) {
      let oldest: CachedShard | null = null;
      for (const shard of shards.values()) {
        if (shard === newest || shard.size === 0) continue;
        if (oldest === null || shard.used < oldest.used) oldest = shard;
      }
      if (oldest === null) return;
      forget(oldest);
    }
  }

  async function read(shard: CachedShard, most: number): Promise<Uint8Array> {
    try {
      const bytes = await getObject(storage, shard.name, most);
      shard.bytes = bytes;
      shard.size = bytes.length;
      cached += bytes.length;
      makeRoom(shard);
      return bytes;
    } catch (error) {
      forget(shard);
      throw error;
    }
  }

  function shardNamed(name: string, most: number): MaybePromise<Uint8Array> {
    let shard = shards.get(name);
    if (shard === undefined) {
      shard = { name, bytes: new Uint8Array(0), size: 0, used: 0 };
      shards.set(name, shard);
      shard.bytes = read(shard, most);
    }
    shard.used = uses++;
    return shard.bytes;
  }

  function unavailable(list: OpenList, object: string, error: unknown): never {
    onLost(list, object, error);
    const { manifest } = list.entry;
    throw new HttpProblem(503, `Part of the list ${manifest.list} cannot be searched.`, {
      "Retry-After": "60",
    });
  }

  /** A shard that is in memory; `null` when it has to be read first. */
  function cachedShard(name: string): Uint8Array | null {
    const shard = shards.get(name);
    if (shard === undefined || shard.bytes instanceof Promise) return null;
    shard.used = uses++;
    return shard.bytes;
  }

  return (list, prefix, network) => {
    if (list.hashLayers === undefined) return list.find(prefix, network);
    const search = list.search(prefix);
    if (search === null) return NOTHING_FOUND;
    const { object, most } = search;
    const shard = cachedShard(object);
    if (shard !== null) return copiesOf(search.find(shard));
    // Wait in this client's own queue. In another client's queue, the read would wait for everything else there.
    return reads.run(network(), async () => {
      const read = Promise.resolve(shardNamed(object, most));
      const bytes = await read.catch((error: unknown) => unavailable(list, object, error));
      return copiesOf(search.find(bytes));
    });
  };
}
