import type { Storage } from "@x/list-store";
import type { OpenList } from "@x/list-store/serving";
import { HttpProblem } from "../http/http-problem.ts";
import {
  discard,
  fetchMissing,
  hashesOf,
  hold,
  type LocalShards,
  localShards,
  release,
} from "./local-shards.ts";
import { NO_PROBLEM, type Problem, type ServedList } from "./served-lists.ts";
import type { ServedVersion } from "./served-version.ts";

/*
 * A server must answer searches even if its store cannot be read. So the server keeps the full hashes of all served
 * versions: in memory up to a limit, and beyond that in unnamed files. The hashes of a version are checked when they
 * are read from the store, before the version is served. A search then reads a few kilobytes, without waiting.
 */

export interface LocalHashesOptions {
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
