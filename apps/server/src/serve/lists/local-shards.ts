import type { Storage, StoreError } from "@x/list-store";
import { getShard, hashesIn, type ReadableHashes } from "@x/list-store/serving";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
import { NO_PROBLEM, type Problem, problemOf } from "./served-lists.ts";

/** The shards of all kept versions: in memory up to a limit, and beyond that in files. */
export interface LocalShards {
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

export function localShards(memory: number, folder: string): LocalShards {
  return { memory, folder, byName: new Map(), used: 0 };
}

/** Counts one more version with these shards. */
export function hold({ byName }: LocalShards, names: readonly string[]): void {
  for (const name of names) {
    const shard = byName.get(name);
    if (shard === undefined) byName.set(name, { versions: 1, kept: null });
    else shard.versions++;
  }
}

/** Counts one version fewer with these shards. Drops shards that no version has. */
export function release({ byName }: LocalShards, names: readonly string[]): void {
  for (const name of names) {
    const shard = byName.get(name)!;
    if (--shard.versions > 0) continue;
    shard.kept?.drop();
    byName.delete(name);
  }
}

/** The full hashes of a shard; `null` if the shard is not on this machine. */
export function hashesOf({ byName }: LocalShards, name: string): ReadableHashes | null {
  return byName.get(name)?.kept?.hashes ?? null;
}

/** Drops a shard that cannot be read, so that it can be fetched again. */
export function discard({ byName }: LocalShards, name: string): void {
  const shard = byName.get(name)!;
  shard.kept?.drop();
  shard.kept = null;
}

/** Fetches missing shards from a store. Returns the problem if some are still missing. */
export async function fetchMissing(
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
