import { type Storage, StoreError } from "@x/list-store";
import { getShard, hashesIn, type OpenList, type ReadableHashes } from "@x/list-store/serving";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { NO_PROBLEM, type Problem, problemOf, type ServedList } from "./served-lists.ts";
import type { ServedVersion } from "./served-version.ts";

/*
 * A server answers searches while its store is away, so it keeps the full hashes of the versions that it serves: in
 * memory up to a limit, and beyond that in files without names. The hashes of a version are checked when they are read
 * from the store, before the version is served. A search then reads a few kilobytes, without waiting.
 */

export interface LocalHashesOptions {
  /** How many bytes of full hashes may be in memory. */
  readonly memory: number;
  /** The folder for the files of all others. */
  readonly folder: string;
  /** How long the hashes of a version that is no longer served are kept for requests in progress, in milliseconds. */
  readonly grace?: number;
  /** Called when hashes of a version cannot be read from their file, but only once until `fill` is called. */
  readonly onUnreadable?: (list: OpenList, error: Error) => void;
}

/** The full hashes of the versions that are served. */
export interface LocalHashes {
  /**
   * Gets the full hashes of a version that are not here yet. Returns why some of them are still missing, and
   * {@link NO_PROBLEM} if none are. It never throws.
   */
  fill(storage: Storage, list: OpenList): Promise<Problem>;
  /** Whether nothing is missing, as far as is known. Only reading shows that a file is damaged. */
  isComplete(list: ServedVersion): boolean;
  /** The full hashes of a version that begin with a prefix of 4 to 32 bytes. Throws when a part of them is missing. */
  find(list: OpenList, prefix: Uint8Array): readonly Uint8Array[];
  /** The bytes of a shard; `null` when it is not here. */
  shard(name: string): Uint8Array | null;
  /** Drops the hashes of versions that are no longer served. Call this with all lists when they have changed. */
  dropOlder(lists: readonly ServedList[]): void;
  /** Drops the hashes of a version that was never served. */
  drop(list: ServedVersion): void;
  close(): void;
}

/** One part of the full hashes, which several versions may have in common. */
interface LocalShard {
  /** How many versions have it. */
  versions: number;
  /** `null` when it is not here. */
  kept: { readonly hashes: ReadableHashes; readonly drop: () => void } | null;
}

/** What is known about a version whose hashes are here. */
interface KeptVersion {
  readonly names: readonly string[];
  wasServed: boolean;
  isComplete: boolean;
  isEnding: boolean;
}

/** How many shards of a version are read at the same time. Each takes about a megabyte. */
const READS = 4;
const GRACE = 60_000;

const NONE: readonly Uint8Array[] = [];

function incomplete({ entry }: OpenList): HttpProblem {
  const { list } = entry.manifest;
  return new HttpProblem(503, `Part of the list ${list} cannot be searched.`, {
    "Retry-After": "60",
  });
}

/** A file for shards, which is closed when its last shard is dropped. */
function shardFile(folder: string) {
  const file: ScratchFile = scratchFile(folder);
  let shards = 0;
  const drop = () => {
    if (--shards === 0) file.close();
  };
  return {
    async add(bytes: Uint8Array): Promise<NonNullable<LocalShard["kept"]>> {
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

export function localHashes({
  memory,
  folder,
  grace = GRACE,
  onUnreadable = () => {},
}: LocalHashesOptions): LocalHashes {
  const shards = new Map<string, LocalShard>();
  const versions = new Map<ServedVersion, KeptVersion>();
  /** How many bytes are in memory. */
  let used = 0;

  function inMemory(bytes: Uint8Array): NonNullable<LocalShard["kept"]> {
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

  /** The shards of a version, which are kept from now on. */
  function keep(list: OpenList): KeptVersion {
    const known = versions.get(list);
    if (known !== undefined) return known;
    const names = [...new Set(list.hashLayers.flatMap((layer) => layer.shards))];
    for (const name of names) {
      const shard = shards.get(name);
      if (shard === undefined) shards.set(name, { versions: 1, kept: null });
      else shard.versions++;
    }
    const kept = { names, wasServed: false, isComplete: false, isEnding: false };
    versions.set(list, kept);
    return kept;
  }

  function drop(list: ServedVersion): void {
    const { names } = versions.get(list) ?? { names: [] };
    versions.delete(list);
    for (const name of names) {
      const shard = shards.get(name)!;
      if (--shard.versions > 0) continue;
      shard.kept?.drop();
      shards.delete(name);
    }
  }

  async function fill(storage: Storage, list: OpenList): Promise<Problem> {
    const version = keep(list);
    const missing = version.names.filter((name) => shards.get(name)!.kept === null);
    version.isComplete = true;
    const file = shardFile(folder);
    const problems: Problem[] = [];
    let isOver = false;

    async function get(name: string): Promise<void> {
      let bytes: Uint8Array;
      try {
        bytes = await getShard(storage, name);
      } catch (error) {
        problems.push(problemOf(error));
        // If the store itself cannot be read, do not wait for it once more for each of the other shards.
        isOver ||= !(error instanceof StoreError);
        return;
      }
      try {
        const isShort = used + bytes.length <= memory;
        const kept = isShort ? inMemory(bytes) : await file.add(bytes);
        const shard = shards.get(name);
        // Meanwhile, the same shard of another version may have come, or the server may have been stopped.
        if (shard === undefined || shard.kept !== null) kept.drop();
        else shard.kept = kept;
      } catch (error) {
        const problem = "This machine cannot store its full hashes";
        problems.push({ problem, detail: (error as Error).message });
        isOver = true;
      }
    }

    for (let start = 0; start < missing.length && !isOver; start += READS) {
      await Promise.all(missing.slice(start, start + READS).map(get));
    }
    if (problems[0] === undefined) return NO_PROBLEM;
    version.isComplete = false;
    return problems[0];
  }

  return {
    fill,
    isComplete: (list) => versions.get(list)?.isComplete ?? false,
    find(list, prefix) {
      const search = list.search(prefix);
      if (search === null) return NONE;
      const shard = shards.get(search.shard);
      if (shard === undefined || shard.kept === null) throw incomplete(list);
      try {
        // Views would keep everything that was read in memory until the answer is sent.
        return search.find(shard.kept.hashes).map((hash) => new Uint8Array(hash));
      } catch (error) {
        // The next `fill` gets it again.
        shard.kept.drop();
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
      const hashes = shards.get(name)?.kept?.hashes;
      return hashes === undefined ? null : hashes.read(0, hashes.count);
    },
    dropOlder(lists) {
      const byName = new Map(lists.map((list) => [list.name, list]));
      for (const [list, kept] of versions) {
        const served = byName.get(list.entry.manifest.list);
        if (served?.loaded === list) {
          kept.wasServed = true;
          kept.isEnding = false;
          continue;
        }
        // Others may be loaded now, and served soon.
        const current = served?.loaded?.entry.manifest.version ?? 0;
        const isOld = kept.wasServed || list.entry.manifest.version < current;
        if (isOld && !kept.isEnding) {
          kept.isEnding = true;
          setTimeout(() => {
            // Meanwhile, other settings may have come, with which it is served again.
            if (versions.get(list)?.isEnding) drop(list);
          }, grace).unref();
        }
      }
    },
    drop,
    close() {
      for (const list of [...versions.keys()]) drop(list);
    },
  };
}
