import { encodePrefixList, type PrefixList, updatePrefixList } from "@x/prefix-list";
import { compareBytes, firstWords, unsortedAt, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, fullHash, toHex } from "@x/sha256-prefix";
import { type Change, changeBetween } from "./change.ts";
import { checkCount, fullHashesIn, pieceBits, readVersion } from "./contents.ts";
import { byIndex } from "./difference.ts";
import { StoreError } from "./error.ts";
import {
  FULL_HASH_WORDS,
  inWords,
  type SortedHashes,
  shardsOf,
  WORD_BYTES,
} from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import { encodeLayers, encodeShardIndex } from "./layers.ts";
import type { LogEntry, Manifest } from "./manifest.ts";
import type { WriteObject } from "./object-writer.ts";
import { hashOf, type Sha256 } from "./objects.ts";
import type { Storage } from "./storage.ts";
import { bytesOf, common, listOfWords, NO_WORDS, type PrefixWords, without } from "./words.ts";
import type { NewEntries } from "./write-layers.ts";
import { writeLayers } from "./write-layers.ts";
import { writeSteps } from "./write-steps.ts";

/** A version that is about to be published. */
export interface NextVersion {
  readonly before: Manifest;
  readonly fresh: NewContents;
  /** The number of entries of the previous version that would be removed. */
  readonly removed: number;
}

export type CheckChange = (next: NextVersion) => void | Promise<void>;

/** The new contents, before anything is written. */
export interface NewContents extends NewEntries {
  /** The encoded index of the shards. Its SHA-256 identifies the set of full hashes. */
  readonly shardIndex: Uint8Array;
}

/** Reads the full hashes of a new version once, and returns their prefixes and the names of their shards. */
export async function newContentsOf(
  list: string,
  hashes: SortedHashes,
  created: number,
  sha256: Sha256 = fullHash,
): Promise<NewContents> {
  const words = new Uint32Array(hashes.count);
  const shards: string[] = [];
  let last: Uint8Array = new Uint8Array(FULL_HASH_BYTES);
  let used = 0;
  for await (const shard of shardsOf(hashes)) {
    const group = { prefixBytes: FULL_HASH_BYTES, rawHashes: shard };
    shards.push(await hashOf(shard));
    if (shard.length === 0) continue;
    if (
      unsortedAt(group) >= 0 ||
      (used > 0 && compareBytes(last, 0, shard, 0, FULL_HASH_BYTES) >= 0)
    ) {
      throw new StoreError("unverified", `The full hashes of ${list} are not in ascending order`);
    }
    const all = firstWords(group);
    for (let i = 0; i < all.length; i++) {
      if (used === 0 || words[used - 1] !== all[i]) words[used++] = all[i]!;
    }
    last = shard.slice(-FULL_HASH_BYTES);
  }
  const different = words.subarray(0, used);
  return {
    hashes,
    words: different,
    name: list,
    created,
    checksum: toHex(sha256(bytesOf(different))),
    shardIndex: encodeShardIndex({ shards }),
  };
}

/** The differences between the full hashes of two versions. */
interface HashesCompared {
  /** The number of old full hashes. */
  readonly count: number;
  /** The number of full hashes that are in both versions. */
  readonly shared: number;
  /** The first words of the hashes that only one version has, in ascending order. */
  readonly words: PrefixWords;
}

function equalHashes(a: Uint32Array, i: number, b: Uint32Array, j: number): boolean {
  for (let k = 0; k < FULL_HASH_WORDS; k++) if (a[i + k] !== b[j + k]) return false;
  return true;
}

/** Compares old and new full hashes, which come in the same number of chunks. */
async function compareHashes(
  old: AsyncIterable<Uint8Array>,
  fresh: AsyncIterator<Uint8Array>,
): Promise<HashesCompared> {
  const words: number[] = [];
  let last = -1;
  let [shared, count] = [0, 0];
  const differs = (bytes: Uint8Array, at: number) => {
    const word = wordAt(bytes, at);
    if (last !== word) words.push(word);
    last = word;
  };
  for await (const piece of old) {
    const { value: shard } = (await fresh.next()) as IteratorYieldResult<Uint8Array>;
    count += piece.length / FULL_HASH_BYTES;
    const [pieceWords, shardWords] = [inWords(piece), inWords(shard)];
    let [i, j] = [0, 0];
    while (i < piece.length && j < shard.length) {
      // Most hashes are the same, and comparing word by word is faster than byte by byte.
      const isSame = equalHashes(pieceWords, i / WORD_BYTES, shardWords, j / WORD_BYTES);
      const order = isSame ? 0 : compareBytes(piece, i, shard, j, FULL_HASH_BYTES);
      if (isSame) shared++;
      else if (order < 0) differs(piece, i);
      else differs(shard, j);
      if (order <= 0) i += FULL_HASH_BYTES;
      if (order >= 0) j += FULL_HASH_BYTES;
    }
    for (; i < piece.length; i += FULL_HASH_BYTES) differs(piece, i);
    for (; j < shard.length; j += FULL_HASH_BYTES) differs(shard, j);
  }
  return { count, shared, words: Uint32Array.from(words) };
}

/** Compares a new version with the previous one; if there is none, all full hashes are new. */
async function compareWith(
  old: Awaited<ReturnType<typeof readVersion>> | null,
  storage: Storage,
  fresh: NewContents,
): Promise<HashesCompared> {
  if (old === null) return { shared: 0, words: fresh.words, count: 0 };
  return compareHashes(
    fullHashesIn(storage, old.words, old.hashLayers),
    shardsOf(fresh.hashes, pieceBits(old.hashLayers)),
  );
}

/** Throws unless the difference that clients will get turns the old list into the new one. */
function verify(
  old: PrefixList,
  fresh: NewContents,
  change: Change<PrefixWords>,
  sha256: Sha256 | undefined,
): void {
  const { name, created, checksum, words } = fresh;
  const difference = byIndex(words, change);
  let cause: unknown;
  try {
    if (updatePrefixList(old, difference, { name, created, sha256 }).checksum === checksum) return;
  } catch (error) {
    cause = error;
  }
  const problem =
    cause === undefined ? "has the wrong checksum" : "cannot be built from the old one";
  throw new StoreError("unverified", `The new version of ${name} ${problem}`, { cause });
}

interface WriteOptions {
  /**
   * Called with the change before any object is written, unless the version is the first. It may throw to refuse the
   * change.
   */
  readonly checkChange?: CheckChange | undefined;
  readonly sha256?: Sha256 | undefined;
}

/** Verifies a new version, writes its objects, and returns the contents, the change and the steps for its manifest. */
export async function writeContents(
  storage: Storage,
  write: WriteObject,
  fresh: NewContents,
  newest: LogEntry | null,
  { checkChange, sha256 }: WriteOptions,
): Promise<Pick<Manifest, "contents" | "change" | "steps">> {
  const before = newest?.manifest ?? null;
  const { name, checksum, created } = fresh;
  const old = before === null ? null : await readVersion(storage, before, sha256);
  const prefixes = old?.prefixes ?? listOfWords(NO_WORDS, "", 0);
  const { shared, words, count } = await compareWith(old, storage, fresh);
  if (before !== null) checkCount(before, count);
  const removed = (before?.contents.fullHashes ?? 0) - shared;
  if (before !== null) await checkChange?.({ before, fresh, removed });
  const change = changeBetween(old?.words ?? NO_WORDS, fresh.words);
  verify(prefixes, fresh, change, sha256);

  const none = new Set<string>();
  const kept = new Set(old?.hashLayers.flatMap(({ shards }) => shards));
  const writer = {
    object: (bytes: Uint8Array) => write(bytes, none),
    objects: (all: AsyncIterable<Uint8Array>) => inParallel(all, (bytes) => write(bytes, kept)),
  };
  const entries = await hashOf(fresh.shardIndex);
  async function layersOf(): Promise<string> {
    const known = before?.contents.layers;
    if (known !== undefined && before!.contents.entries === entries) return known;
    const changed = without(common(words, fresh.words), change.added);
    const mentioned = old?.hashLayers.flatMap(({ mentions }) => mentions ?? []) ?? [];
    const base = before && { version: before.version, layers: old!.layers, mentioned };
    const whole = { ...change, changed };
    const layers = await writeLayers(storage, { writer, fresh, sha256 }, base, whole);
    return write(encodeLayers(layers), none);
  }
  const isSameList = before !== null && checksum === prefixes.checksum;
  const next = newest && { before: newest, layers: old!.layers, words: fresh.words, change };
  const listOf = (words: PrefixWords) =>
    encodePrefixList(listOfWords(words, name, created, sha256));
  return {
    contents: {
      since: isSameList ? before.contents.since : (before?.version ?? 0) + 1,
      prefixes: fresh.words.length,
      fullHashes: fresh.hashes.count,
      checksum,
      layers: await layersOf(),
      entries,
    },
    change: {
      added: await write(listOf(change.added), none),
      removed: await write(listOf(change.removed), none),
      addedEntries: fresh.hashes.count - shared,
      removedEntries: removed,
    },
    steps: next === null ? undefined : await writeSteps(storage, writer.object, next, sha256),
  };
}
