import type { Storage, StoreError } from "@x/list-store";
import { getShard, hashesIn, type OpenList, type ReadableHashes } from "@x/list-store/serving";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { scratchFile } from "../../storage/scratch-file.ts";
import { HttpProblem } from "../http/reply.ts";
import {
  NO_PROBLEM,
  type Problem,
  problemOf,
  type ServedList,
  type ServedVersion,
} from "./served-lists.ts";

/*
 * A server must answer searches even if its store cannot be read. So the server keeps the full hashes of all served
 * versions: in memory up to a limit, and beyond that in unnamed files. The hashes of a version are checked when they
 * are read from the store, before the version is served. A search then reads a few kilobytes, without waiting.
 */

interface LocalHashesOptions {
  /** How many bytes of full hashes may be in memory. */
  readonly memory: number;
  /** The folder for the files with all other full hashes. */
  readonly folder: string;
  /** How long the hashes of a version that is no longer served are kept for requests in progress, in milliseconds. */
  readonly grace?: number | undefined;
  /**
   * Called when hashes of a version cannot be read from their file, but only once for each version until `fill` is
   * called.
   */
  readonly onUnreadable?: (list: OpenList, error: Error) => void;
}

/** The full hashes of the versions that are served. */
export interface LocalHashes {
  /**
   * Fetches the full hashes of a version that are not on this machine yet. Returns the problem if some are still
   * missing, and {@link NO_PROBLEM} otherwise. Never rejects.
   */
  fill(storage: Storage, list: OpenList): Promise<Problem>;
  /**
   * Whether all full hashes of a version are on this machine, as far as is known. Only reading shows that a file is
   * damaged.
   */
  isComplete(list: ServedVersion): boolean;
  /**
   * The full hashes of a version that begin with a prefix of 4 to 32 bytes. Throws if their shard is missing or
   * damaged.
   */
  find(list: OpenList, prefix: Uint8Array): readonly Uint8Array[];
  /** The bytes of a shard; `null` if the shard is not on this machine. */
  shard(name: string): Uint8Array | null;
  /** Drops the hashes of versions that are no longer served. Call this with all lists when lists have changed. */
  dropOlder(lists: readonly ServedList[]): void;
  /** Drops the hashes of a version that was never served. */
  drop(list: ServedVersion): void;
  close(): void;
}

/** The state of a version whose full hashes are kept. */
interface KeptVersion {
  readonly names: readonly string[];
  wasServed: boolean;
  isComplete: boolean;
  isEnding: boolean;
}

/** One part of the full hashes, which several versions may share. */
interface Shard {
  /** How many versions have this shard. */
  versions: number;
  /** `null` if the shard is not on this machine. */
  kept: KeptShard | null;
}

interface KeptShard {
  readonly hashes: ReadableHashes;
  readonly drop: () => void;
}

const GRACE = 60_000;
/** How many shards of a version are read at the same time. Each shard takes about a megabyte. */
const READS = 4;

export function localHashes({
  memory,
  folder,
  grace = GRACE,
  onUnreadable = () => {},
}: LocalHashesOptions): LocalHashes {
  const shards = new Map<string, Shard>();
  const versions = new Map<ServedVersion, KeptVersion>();
  /** How many bytes of shards are in memory. */
  let used = 0;

  /** Begins to keep a version, whose shards may still have to be fetched. */
  function keep(list: OpenList): KeptVersion {
    const known = versions.get(list);
    if (known !== undefined) return known;
    const names = [...new Set(list.hashBlocks.flatMap(({ shards }) => shards))];
    for (const name of names) {
      const shard = shards.get(name) ?? { versions: 0, kept: null };
      shard.versions++;
      shards.set(name, shard);
    }
    const version = { names, wasServed: false, isComplete: false, isEnding: false };
    versions.set(list, version);
    return version;
  }

  /** Forgets a version, and drops the shards that no other version has. */
  function drop(list: ServedVersion): void {
    for (const name of versions.get(list)?.names ?? []) {
      const shard = shards.get(name)!;
      if (--shard.versions > 0) continue;
      shard.kept?.drop();
      shards.delete(name);
    }
    versions.delete(list);
  }

  function hashesOf(name: string): ReadableHashes | null {
    return shards.get(name)?.kept?.hashes ?? null;
  }

  /** Fetches missing shards from a store. Returns the problem if some are still missing. */
  async function fetchMissing(names: readonly string[], storage: Storage): Promise<Problem> {
    const missing = names.filter((name) => hashesOf(name) === null);
    const file = shardFile(folder);
    const problems: Problem[] = [];
    let isOver = false;

    async function fetchOne(name: string): Promise<void> {
      let bytes: Uint8Array;
      try {
        bytes = await getShard(storage, name);
      } catch (error) {
        problems.push(problemOf(error));
        // If the store itself cannot be read, do not wait for it once more for each of the other shards.
        isOver ||= !hasName<StoreError>(error, "StoreError");
        return;
      }
      try {
        const kept = used + bytes.length <= memory ? inMemory(bytes) : await file.add(bytes);
        const shard = shards.get(name);
        // In the meantime, another version may have brought the same shard, or the server may have been stopped.
        if (shard === undefined || shard.kept !== null) kept.drop();
        else shard.kept = kept;
      } catch (error) {
        const problem = "This machine cannot store its full hashes";
        problems.push({ problem, detail: (error as Error).message });
        isOver = true;
      }
    }

    for (let start = 0; start < missing.length && !isOver; start += READS) {
      await Promise.all(missing.slice(start, start + READS).map(fetchOne));
    }
    return problems[0] ?? NO_PROBLEM;
  }

  function inMemory(bytes: Uint8Array): KeptShard {
    used += bytes.length;
    // The bytes may be a part of a larger buffer, all of which would stay in memory.
    const own = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
    return {
      hashes: hashesIn(own),
      drop() {
        used -= own.length;
      },
    };
  }

  return {
    async fill(storage, list) {
      const version = keep(list);
      version.isComplete = true;
      const problem = await fetchMissing(version.names, storage);
      if (problem !== NO_PROBLEM) version.isComplete = false;
      return problem;
    },
    isComplete: (list) => versions.get(list)?.isComplete ?? false,
    find(list, prefix) {
      const search = list.search(prefix);
      if (search === null) return NONE;
      const hashes = hashesOf(search.shard);
      if (hashes === null) throw incomplete(list);
      try {
        // Views would keep the whole shard in memory until the answer is sent.
        return search.find(hashes).map((hash) => new Uint8Array(hash));
      } catch (error) {
        // The next `fill` fetches the shard again.
        const shard = shards.get(search.shard)!;
        shard.kept!.drop();
        shard.kept = null;
        const version = versions.get(list);
        if (version?.isComplete) {
          version.isComplete = false;
          onUnreadable(list, error as Error);
        }
        throw incomplete(list);
      }
    },
    shard(name) {
      const hashes = hashesOf(name);
      return hashes === null ? null : hashes.read(0, hashes.count);
    },
    dropOlder(lists) {
      const byName = new Map(lists.map(({ name, loaded }) => [name, loaded]));
      for (const [list, kept] of versions) {
        const { manifest } = list.entry;
        const served = byName.get(manifest.list) ?? null;
        if (served === list) {
          kept.wasServed = true;
          kept.isEnding = false;
          continue;
        }
        // A version that was not served yet, and is not older than the served one, may be served soon.
        const isOld = kept.wasServed || manifest.version < (served?.entry.manifest.version ?? 0);
        if (kept.isEnding || !isOld) continue;
        kept.isEnding = true;
        setTimeout(() => {
          // In the meantime, new settings may have made the server serve this version again.
          if (versions.get(list)?.isEnding) drop(list);
        }, grace).unref();
      }
    },
    drop,
    close() {
      for (const list of [...versions.keys()]) drop(list);
    },
  };
}

const NONE: readonly Uint8Array[] = [];

function incomplete({ entry }: OpenList): HttpProblem {
  const { list } = entry.manifest;
  return new HttpProblem(503, `Part of the list ${list} cannot be searched.`);
}

/** A file for shards, which is closed when its last shard is dropped. */
function shardFile(folder: string) {
  const file = scratchFile(folder);
  let shards = 0;
  const drop = () => {
    if (--shards === 0) file.close();
  };
  return {
    async add(bytes: Uint8Array): Promise<KeptShard> {
      shards++;
      try {
        const start = await file.appendLater(bytes);
        const read = (index: number, count: number) => {
          const part = Buffer.allocUnsafe(count * FULL_HASH_BYTES);
          file.read(part, start + index * FULL_HASH_BYTES);
          return part;
        };
        return { hashes: { count: hashesIn(bytes).count, read }, drop };
      } catch (error) {
        drop();
        throw error;
      }
    },
  };
}
