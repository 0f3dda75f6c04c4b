import type { Storage, StoreError } from "@x/list-store";
import { getShard, hashesIn, type OpenList, type ReadableHashes } from "@x/list-store/serving";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
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

type Versions = Map<ServedVersion, KeptVersion>;

const GRACE = 60_000;

const NONE: readonly Uint8Array[] = [];

function incomplete({ entry }: OpenList): HttpProblem {
  const { list } = entry.manifest;
  return new HttpProblem(503, `Part of the list ${list} cannot be searched.`);
}

/** Begins to keep a version, whose shards may still have to be fetched. */
function keep(versions: Versions, shards: LocalShards, list: OpenList): KeptVersion {
  const known = versions.get(list);
  if (known !== undefined) return known;
  const names = [...new Set(list.hashLayers.flatMap((layer) => layer.shards))];
  hold(shards, names);
  const kept = { names, wasServed: false, isComplete: false, isEnding: false };
  versions.set(list, kept);
  return kept;
}

function drop(versions: Versions, shards: LocalShards, list: ServedVersion): void {
  release(shards, versions.get(list)?.names ?? []);
  versions.delete(list);
}

/** Whether a version that is not served is out of date, rather than new and perhaps served soon. */
function isOld({ entry }: ServedVersion, { wasServed }: KeptVersion, served: ServedVersion | null) {
  return wasServed || entry.manifest.version < (served?.entry.manifest.version ?? 0);
}

export function localHashes(options: LocalHashesOptions): LocalHashes {
  const { memory, folder, grace = GRACE, onUnreadable = () => {} } = options;
  const shards = localShards(memory, folder);
  const versions: Versions = new Map();

  return {
    async fill(storage, list) {
      const version = keep(versions, shards, list);
      version.isComplete = true;
      const problem = await fetchMissing(shards, version.names, storage);
      if (problem !== NO_PROBLEM) version.isComplete = false;
      return problem;
    },
    isComplete: (list) => versions.get(list)?.isComplete ?? false,
    find(list, prefix) {
      const search = list.search(prefix);
      if (search === null) return NONE;
      const hashes = hashesOf(shards, search.shard);
      if (hashes === null) throw incomplete(list);
      try {
        // Views would keep the whole shard in memory until the answer is sent.
        return search.find(hashes).map((hash) => new Uint8Array(hash));
      } catch (error) {
        // The next `fill` fetches the shard again.
        discard(shards, search.shard);
        const version = versions.get(list);
        if (version?.isComplete) {
          version.isComplete = false;
          onUnreadable(list, error as Error);
        }
        throw incomplete(list);
      }
    },
    shard(name) {
      const hashes = hashesOf(shards, name);
      return hashes === null ? null : hashes.read(0, hashes.count);
    },
    dropOlder(lists) {
      const byName = new Map(lists.map(({ name, loaded }) => [name, loaded]));
      for (const [list, kept] of versions) {
        const served = byName.get(list.entry.manifest.list) ?? null;
        if (served === list) {
          kept.wasServed = true;
          kept.isEnding = false;
        } else if (!kept.isEnding && isOld(list, kept, served)) {
          kept.isEnding = true;
          setTimeout(() => {
            // In the meantime, new settings may have made the server serve this version again.
            if (versions.get(list)?.isEnding) drop(versions, shards, list);
          }, grace).unref();
        }
      }
    },
    drop: (list) => drop(versions, shards, list),
    close() {
      for (const list of [...versions.keys()]) drop(versions, shards, list);
    },
  };
}

/** The shards of all kept versions: in memory up to a limit, and beyond that in files. */
interface LocalShards {
  /** How many bytes of shards may be in memory. */
  readonly memory: number;
  /** The folder for the files of shards that are not in memory. */
  readonly folder: string;
  readonly byName: Map<string, LocalShard>;
  /** How many bytes of shards are in memory. */
  used: number;
}

/** One part of the full hashes, which several versions may share. */
interface LocalShard {
  /** How many versions have this shard. */
  versions: number;
  /** `null` if the shard is not on this machine. */
  kept: KeptShard | null;
}

interface KeptShard {
  readonly hashes: ReadableHashes;
  readonly drop: () => void;
}

/** How many shards of a version are read at the same time. Each shard takes about a megabyte. */
const READS = 4;

function localShards(memory: number, folder: string): LocalShards {
  return { memory, folder, byName: new Map(), used: 0 };
}

/** Counts one more version with these shards. */
function hold({ byName }: LocalShards, names: readonly string[]): void {
  for (const name of names) {
    const shard = byName.get(name);
    if (shard === undefined) byName.set(name, { versions: 1, kept: null });
    else shard.versions++;
  }
}

/** Counts one version fewer with these shards. Drops shards that no version has. */
function release({ byName }: LocalShards, names: readonly string[]): void {
  for (const name of names) {
    const shard = byName.get(name)!;
    if (--shard.versions > 0) continue;
    shard.kept?.drop();
    byName.delete(name);
  }
}

/** The full hashes of a shard; `null` if the shard is not on this machine. */
function hashesOf({ byName }: LocalShards, name: string): ReadableHashes | null {
  return byName.get(name)?.kept?.hashes ?? null;
}

/** Drops a shard that cannot be read, so that it can be fetched again. */
function discard({ byName }: LocalShards, name: string): void {
  const shard = byName.get(name)!;
  shard.kept?.drop();
  shard.kept = null;
}

/** Fetches missing shards from a store. Returns the problem if some are still missing. */
async function fetchMissing(
  shards: LocalShards,
  names: readonly string[],
  storage: Storage,
): Promise<Problem> {
  const missing = names.filter((name) => hashesOf(shards, name) === null);
  const file = shardFile(shards.folder);
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
      await add(shards, name, bytes, file);
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

async function add(
  shards: LocalShards,
  name: string,
  bytes: Uint8Array,
  file: ShardFile,
): Promise<void> {
  const isShort = shards.used + bytes.length <= shards.memory;
  const kept = isShort ? inMemory(shards, bytes) : await file.add(bytes);
  const shard = shards.byName.get(name);
  // In the meantime, another version may have brought the same shard, or the server may have been stopped.
  if (shard === undefined || shard.kept !== null) kept.drop();
  else shard.kept = kept;
}

function inMemory(shards: LocalShards, bytes: Uint8Array): KeptShard {
  shards.used += bytes.length;
  // The bytes may be a part of a larger buffer, all of which would stay in memory.
  const own = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
  return {
    hashes: hashesIn(own),
    drop() {
      shards.used -= own.length;
    },
  };
}

type ShardFile = ReturnType<typeof shardFile>;

/** A file for shards, which is closed when its last shard is dropped. */
function shardFile(folder: string) {
  const file: ScratchFile = scratchFile(folder);
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
