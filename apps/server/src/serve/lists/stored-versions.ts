import {
  loadList,
  type Manifest,
  type SeenVersion,
  type Storage,
  type StoreError,
} from "@x/list-store";
import {
  type DifferenceOptions,
  getShard,
  NEVER,
  type OpenList,
  openList,
} from "@x/list-store/serving";
import { prefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { SeenVersions } from "../../storage/seen-versions.ts";
import { fairQueue, QUEUES } from "../fairness.ts";
import type { Jobs } from "../worker-thread/jobs.ts";
import type { Aside } from "../worker-thread/run-job.ts";
import type { LocalHashes } from "./local-hashes.ts";

export interface StoredVersionsOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  /** The versions seen earlier, by list. It is a problem if one of these lists is missing from the store. */
  readonly seen: SeenVersions;
  /** The full hashes that this machine keeps. */
  readonly hashes: LocalHashes;
}

/** The versions in a store, opened for searches and updates. */
interface StoredVersions {
  /** The options with which differences are made, one after the other. */
  readonly differences: DifferenceOptions;
  /**
   * The newest version of a list, which is `before` itself if nothing has changed; `null` if the list has no version.
   * A list that was seen to be retired is empty, whatever the store has.
   */
  newest(list: string, before: OpenList | null): Promise<OpenList | null>;
}

/** The bytes of all store objects in a value. Prefix words are not store objects. */
function objectsIn(value: unknown): Uint8Array[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if ("object" in value && "bytes" in value) return [value.bytes as Uint8Array];
  return Object.values(value).flatMap(objectsIn);
}

/** A list that was retired, and whose files are gone. Clients that have entries of the list get it as empty. */
function retiredList(list: string, { version, hash }: SeenVersion, now: number): OpenList {
  const prefixes = prefixList([], { name: list, created: now });
  const { checksum } = prefixes;
  const manifest: Manifest = {
    list,
    version,
    previous: null,
    issued: now,
    expires: NEVER,
    first: version,
    blocks: [],
    base: { version, object: "", bytes: 0, hashes: "" },
    contents: { since: version, prefixes: 0, fullHashes: 0, checksum, entries: "" },
    change: null,
    withdrawn: true,
    retired: true,
    nextSigners: [],
  };
  const entry = { manifest, hash, note: new Uint8Array(0) };
  return {
    entry,
    words: new Uint32Array(0),
    prefixes,
    hashBlocks: [],
    log: new Map([[version, entry]]),
    search: () => null,
    async *fullHashes() {},
    differenceSince: async () => "unknown-token",
  };
}

export function storedVersions(
  { storage, publicKeys, window, seen, hashes }: StoredVersionsOptions,
  now: () => number,
  aside: Aside,
): StoredVersions {
  /**
   * Returns a function that runs a job on long lists. The bytes of objects in `parts` may be moved to another thread.
   */
  const run =
    <Name extends "makeSnapshot" | "makeMentions" | "makeDifference">(name: Name) =>
    (parts: Parameters<Jobs[Name]>[0], entries: number) =>
      aside.run(name, entries, parts, objectsIn(parts));
  const makeSnapshot = run("makeSnapshot");
  const differences = { queue: fairQueue(QUEUES.joins), makeDifference: run("makeDifference") };
  const opening = {
    window,
    ...differences,
    makeMentions: run("makeMentions"),
    readShard: async (name: string) => hashes.shard(name) ?? getShard(storage, name),
  };
  return {
    differences,
    async newest(list, before) {
      // Nothing follows a retirement.
      if (before?.entry.manifest.retired) return before;
      const known = seen.get(list);
      const stored = { storage, list, publicKeys, seen: known, now };
      const newest = await loadList({ ...stored, makeSnapshot }, before ?? undefined).catch(
        (error: unknown) => {
          const isMisplaced =
            hasName<StoreError>(error, "StoreError") && error.code === "misplaced";
          if (isMisplaced || !known?.retired) throw error;
          return null;
        },
      );
      if (newest === null) return known?.retired ? retiredList(list, known, now()) : null;
      if (newest === before) return before;
      return openList(storage, newest, opening, before);
    },
  };
}
