import { compareBytes, firstWords, unsortedAt, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES, fullHash, toHex } from "@x/sha256-prefix";
import { encodeText } from "./bytes.ts";
import { applyChange, type Change, changeBetween } from "./change.ts";
import {
  checkCount,
  fullHashesIn,
  pieceBits,
  readVersion,
  type StoredVersion,
} from "./contents.ts";
import { StoreError } from "./error.ts";
import {
  FULL_HASH_WORDS,
  inWords,
  type SortedHashes,
  shardsOf,
  WORD_BYTES,
} from "./full-hashes.ts";
import type { LogEntry, Manifest } from "./manifest.ts";
import type { WriteObject } from "./publisher.ts";
import { hashOf, type Sha256, type Storage } from "./storage.ts";
import { bytesOf, common, type PrefixWords, union, without } from "./words.ts";
import { type NewList, NO_CHANGE, needsBase, writeBase, writeBlocks } from "./write-blocks.ts";

/** A version that is about to be published. */
export interface NextVersion {
  readonly before: Manifest;
  readonly fresh: NewContents;
  /** The number of entries of the previous version that would be removed. */
  readonly removed: number;
}

export type CheckChange = (next: NextVersion) => void | Promise<void>;

/** The new contents, before anything is written. */
export interface NewContents {
  readonly name: string;
  readonly hashes: SortedHashes;
  /** The prefixes of the full hashes. */
  readonly words: PrefixWords;
  /** The checksum of the prefixes. */
  readonly checksum: string;
  /** Identifies the set of full hashes. */
  readonly entries: string;
}

/** Reads the full hashes of a new version once, and returns their prefixes and what identifies them. */
export async function newContentsOf(
  list: string,
  hashes: SortedHashes,
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
    name: list,
    hashes,
    words: different,
    checksum: toHex(sha256(bytesOf(different))),
    entries: await hashOf(encodeText(shards.join("\n"))),
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

/** Throws unless the block that readers will get turns the old list into the new one. */
function verify(
  old: PrefixWords,
  { name, checksum }: NewContents,
  change: Change<PrefixWords>,
  sha256: Sha256 = fullHash,
): void {
  if (toHex(sha256(bytesOf(applyChange(old, change)))) === checksum) return;
  throw new StoreError("unverified", `The new version of ${name} has the wrong checksum`);
}

interface WriteOptions {
  /**
   * Called with the change before any object is written, unless the version is the first. It may throw to refuse the
   * change.
   */
  readonly checkChange?: CheckChange | undefined;
  readonly sha256?: Sha256 | undefined;
}

/** The fields of a manifest that describe its contents. */
export type Body = Pick<Manifest, "contents" | "change" | "base" | "blocks">;

/** Writes the objects of a list's first version in this format. */
export async function writeFirst(
  write: WriteObject,
  fresh: NewContents,
  version: number,
): Promise<Body> {
  const { words, checksum, entries, hashes } = fresh;
  return {
    contents: {
      since: version,
      prefixes: words.length,
      fullHashes: hashes.count,
      checksum,
      entries,
    },
    change: { addedEntries: hashes.count, removedEntries: 0 },
    base: await writeBase(write, { words, hashes, hashBlocks: [] }, version),
    blocks: [],
  };
}

/** Verifies the version after the newest one, writes its objects, and returns what its manifest says about them. */
export async function writeContents(
  storage: Storage,
  write: WriteObject,
  fresh: NewContents,
  newest: LogEntry,
  { checkChange, sha256 }: WriteOptions,
): Promise<Body> {
  const before = newest.manifest;
  const version = before.version + 1;
  const { words, checksum, entries, hashes } = fresh;
  const old = await readVersion(storage, before, sha256);
  const compared = await compareHashes(
    fullHashesIn(storage, old.words, old.hashBlocks),
    shardsOf(hashes, pieceBits(old.hashBlocks)),
  );
  checkCount(before, compared.count);
  const removed = before.contents.fullHashes - compared.shared;
  await checkChange?.({ before, fresh, removed });
  const net = changeBetween(old.words, words);
  // Prefixes that stay on the list, but whose full hashes changed.
  const changed = without(common(compared.words, words), net.added);
  const change = { removed: union(net.removed, changed), added: union(net.added, changed) };
  verify(old.words, fresh, change, sha256);

  const list = { words, hashes, hashBlocks: old.hashBlocks };
  const base = needsBase(list, change) ? await writeBase(write, list, version) : before.base;
  return {
    contents: {
      since: checksum === before.contents.checksum ? before.contents.since : version,
      prefixes: words.length,
      fullHashes: hashes.count,
      checksum,
      entries,
    },
    change: { addedEntries: hashes.count - compared.shared, removedEntries: removed },
    base,
    blocks: await writeBlocks(storage, write, newest, { change, base, list: async () => list }),
  };
}

/** Writes the objects of a version that is only signed again. */
export async function writeSame(
  storage: Storage,
  write: WriteObject,
  newest: LogEntry,
  sha256?: Sha256,
): Promise<Body> {
  const { contents, base } = newest.manifest;
  let old: Promise<StoredVersion> | undefined;
  async function list(): Promise<NewList> {
    old ??= readVersion(storage, newest.manifest, sha256);
    const { words, hashBlocks } = await old;
    const pieces = () => fullHashesIn(storage, words, hashBlocks);
    return { words, hashBlocks, hashes: { count: contents.fullHashes, pieces } };
  }
  const blocks = await writeBlocks(storage, write, newest, { change: NO_CHANGE, base, list });
  return { contents, change: null, base, blocks };
}
