import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  type BlockLink,
  changeIn,
  historyLinks,
  isWritten,
  MAX_HISTORY_SPAN,
  passingIn,
  readBlock,
  SPAN,
} from "./block.ts";
import type { Change } from "./change.ts";
import { hasPrefix, readHashes, readVersion, shardOf } from "./contents.ts";
import { isLost, StoreError, unlessMissing } from "./error.ts";
import { findInShard, getShard, hashesIn, shardNumber } from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import { readEntry } from "./log-files.ts";
import type { LogEntry, Manifest } from "./manifest.ts";
import { entriesOf } from "./open-list.ts";
import { openLog, type StoredList } from "./read-log.ts";
import { remembering, type Storage } from "./storage.ts";
import { checkLink, type TrustedLog } from "./trusted-log.ts";
import { countBelow, type PrefixWords } from "./words.ts";

/*
 * The history of an entry is in the shortest blocks, which are never deleted. Longer ones that mention everything in
 * between, also what was added and removed again, tell where these need not be read.
 *
 * A block has only the first four bytes of an entry, which may be those of another one. Full hashes tell them apart, as
 * long as garbage collection has not deleted them.
 */

/** An entry was added to a list, or removed from it. */
export interface EntryChange {
  /** The version that made the change. */
  readonly version: number;
  /** When that version was signed, in milliseconds since 1970. */
  readonly issued: number;
  readonly change: "added" | "removed";
  /**
   * `false` if the full hashes of that time are gone. Then another entry with the same first four bytes may have been
   * added or removed instead.
   */
  readonly certain: boolean;
  /** `true` if the record begins at this version, so that the entry may have been on the list before. */
  readonly orEarlier: boolean;
}

/** When an entry was on a list. */
export interface EntryHistory {
  /** Whether the entry is on the newest version, according to its full hashes. */
  readonly listed: boolean;
  /** The changes, the oldest first. */
  readonly changes: readonly EntryChange[];
}

/** When some entries were on a list. */
export interface ListHistory {
  /** The manifest of the newest version. */
  readonly manifest: Manifest;
  /** Where the record begins: the first version in this format, or a later one if the store has lost older blocks. */
  readonly begins: Pick<Manifest, "version" | "issued">;
  /** The history of each full hash, in the order in which they were given. */
  readonly entries: readonly EntryHistory[];
}

/**
 * Finds out when full hashes were added to a list and removed from it. Returns `null` if there is no such list.
 *
 * The function reads the prefixes of the newest version, a block for each 256 versions, and about 32 shorter blocks for
 * each change. Where the store has no longer blocks, it reads a block for each version.
 *
 * @throws {StoreError} when the newest version cannot be read, or blocks contradict one another (`damaged`).
 * @throws {RangeError} when a full hash does not have 32 bytes.
 * @example
 * ```ts
 * import { generateSigningKey, memoryStorage, publish, readHistory, signerOf } from "@x/list-store";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const signer = await signerOf(await generateSigningKey("example.org"));
 * const stored = { storage: memoryStorage(), list: "malware", publicKeys: [signer.publicKey] };
 * for (const texts of [["a.example/", "b.example/"], ["b.example/"]]) {
 *   await publish({ ...stored, fullHashes: texts.map((text) => fullHash(text)), signer, lifetime: 86_400_000 });
 * }
 * const { entries } = await readHistory(stored, [fullHash("a.example/")]);
 * entries[0].listed; // → false
 * entries[0].changes.map(({ version, change }) => `v${version} ${change}`); // → ["v1 added", "v2 removed"]
 * ```
 */
export async function readHistory(
  stored: StoredList,
  hashes: readonly Uint8Array[],
): Promise<ListHistory | null> {
  for (const { length } of hashes) {
    if (length !== FULL_HASH_BYTES) {
      throw new RangeError(`A full hash has ${FULL_HASH_BYTES} bytes, not ${length}`);
    }
  }
  const { storage, list, sha256 } = stored;
  const log = await openLog(stored, true);
  if (log === null) return null;
  const { newest } = log;
  const words = Uint32Array.from(new Set(hashes.map((hash) => wordAt(hash, 0)))).sort();
  const { begins, mentions } = await readMentions(storage, log, words);

  const manifests = new Map([[newest.manifest.version, newest.manifest]]);
  const wanted = new Map([begins, ...mentions].map(({ version, hash }) => [version, hash]));
  wanted.delete(newest.manifest.version);
  await inParallel(wanted, async ([version, hash]) => {
    const link = { manifest: newest.manifest, version, hash };
    const { manifest } = checkLink(link, await readEntry(storage, list, version));
    manifests.set(version, manifest);
  });
  const now = await readVersion(storage, newest.manifest, sha256);
  // Entries may be in the same shard, which may have a megabyte.
  const shards = remembering(storage);

  async function isListed(hash: Uint8Array): Promise<boolean> {
    const place = shardOf(now, hash);
    if (place === null) return false;
    const shard = hashesIn(await getShard(shards, place.shard));
    return findInShard(shard, hash, place.guess).length > 0;
  }

  async function historyOf(hash: Uint8Array): Promise<EntryHistory> {
    const word = wordAt(hash, 0);
    const own = mentions.filter((mention) => mention.word === word);
    own.reverse();
    const isOn = hasPrefix(now.words, hash);
    checkOrder(newest.manifest, own, isOn);
    const listed = await isListed(hash);
    const changes: EntryChange[] = [];
    let before: Presence = false;
    const versions = [{ version: begins.version, added: own[0]?.removed ?? isOn }, ...own];
    for (const [i, { version, added }] of versions.entries()) {
      const manifest = manifests.get(version)!;
      let after: Presence = added;
      if (i === versions.length - 1) after = listed;
      else if (added) after = await wasListed(storage, manifest, hash, i > 0);
      if ((after === false) !== (before === false)) {
        changes.push({
          version,
          issued: manifest.issued,
          change: after === false ? "removed" : "added",
          certain: before !== null && after !== null,
          orEarlier: i === 0 && version > 1,
        });
      }
      before = after;
    }
    return { listed, changes };
  }

  const entries: EntryHistory[] = [];
  for (const hash of hashes) entries.push(await historyOf(hash));
  const { version, issued } = manifests.get(begins.version)!;
  return { manifest: newest.manifest, begins: { version, issued }, entries };
}

/** Whether an entry is on a version; `null` if only its prefix is known to be. */
type Presence = boolean | null;

/** A version, and the hash of its manifest. */
interface VersionHash {
  readonly version: number;
  readonly hash: string;
}

/** A version, and the blocks that end there. */
interface Place extends VersionHash {
  readonly links: readonly BlockLink[];
}

/** The shortest block that ends at a version removes or adds a prefix, or both if its full hashes changed. */
interface Mention extends VersionHash, Change<boolean> {
  readonly word: number;
}

const placeOf = ({ manifest: { version, blocks: links }, hash }: LogEntry): Place => ({
  version,
  hash,
  links,
});

/** The newest version before a given one that is a multiple of a number, or the first version if that is newer. */
const multipleBefore = (version: number, span: number, first: number): number =>
  Math.max(first, span * (Math.ceil(version / span) - 1));

/** Finds the shortest blocks that mention some ascending words, the newest first, and where the record begins. */
async function readMentions(
  storage: Storage,
  log: TrustedLog,
  words: PrefixWords,
): Promise<{ readonly begins: VersionHash; readonly mentions: readonly Mention[] }> {
  const entryOf = entriesOf(storage, log);
  const { first } = log.newest.manifest;
  let place = placeOf(log.newest);

  /** The parts of the log that may mention a word, the newest first. */
  async function* unclearParts() {
    while (place.version > first) {
      const from = place;
      const bottom = multipleBefore(from.version, MAX_HISTORY_SPAN, first);
      const joined = await readJoined(storage, from, bottom, words);
      if (!joined?.isClear) yield { from, bottom };
      if (joined === null && bottom === first) return;
      place = joined?.next ?? placeOf(await entryOf(bottom));
    }
  }

  const parts = await inParallel(unclearParts(), async ({ from, bottom }) => {
    const { mentions, end } = await mentionsIn(storage, log.newest.manifest, from, bottom, words);
    return { mentions, end, isWhole: end.version === bottom };
  });
  const lost = parts.findIndex(({ isWhole }) => !isWhole);
  const known = lost === -1 ? parts : parts.slice(0, lost + 1);
  const isClearToFirst = lost === -1 && place.version === first;
  return {
    begins: isClearToFirst ? place : known.at(-1)!.end,
    mentions: known.flatMap(({ mentions }) => mentions),
  };
}

/**
 * Reads the block from one version to another. It is clear if nothing in between mentions a word. Returns `null` if
 * there is no such block.
 */
async function readJoined(
  storage: Storage,
  from: Place,
  after: number,
  words: PrefixWords,
): Promise<{ readonly isClear: boolean; readonly next: Place } | null> {
  const link = historyLinks(from.version, from.links).find((each) => each.after === after);
  if (link === undefined || !isWritten(link)) return null;
  const block = await readBlock(storage, link).catch((error) => {
    if (isLost(error)) return null;
    throw error;
  });
  if (block === null) return null;
  const { removed, added } = changeIn(block.stored);
  const passing = passingIn(block.stored);
  const isClear =
    passing !== null &&
    words.every((word) => ![removed, added, passing].some((some) => has(some, word)));
  return { isClear, next: { version: after, hash: link.manifest, links: block.links } };
}

/** Finds the mentions between two versions, and where a missing block ends the search. */
async function mentionsIn(
  storage: Storage,
  { list, first }: Manifest,
  from: Place,
  bottom: number,
  words: PrefixWords,
): Promise<{ readonly mentions: readonly Mention[]; readonly end: VersionHash }> {
  const mentions: Mention[] = [];
  let end = from;
  while (end.version > bottom) {
    const after = multipleBefore(end.version, SPAN ** 2, first);
    const joined = after < end.version - 1 ? await readJoined(storage, end, after, words) : null;
    if (joined?.isClear) end = joined.next;
    while (end.version > after) {
      const [link] = end.links;
      if (link?.after !== end.version - 1 || !isWritten(link)) {
        throw new StoreError(
          "damaged",
          `Version ${end.version} of ${list} has no block from the version before it`,
        );
      }
      const block = await readBlock(storage, link).catch(unlessMissing);
      if (block === null) return { mentions, end };
      const { version, hash } = end;
      const { removed, added } = changeIn(block.stored);
      for (const word of words) {
        const mention = { removed: has(removed, word), added: has(added, word) };
        if (mention.removed || mention.added) mentions.push({ version, hash, word, ...mention });
      }
      end = { version: link.after, hash: link.manifest, links: block.links };
    }
  }
  return { mentions, end };
}

function has(words: PrefixWords, word: number): boolean {
  return words[countBelow(words, word)] === word;
}

/** Throws unless each mention of a prefix, the oldest first, begins as the one before it ends. */
function checkOrder(
  { list, version }: Manifest,
  mentions: readonly Mention[],
  isOn: boolean,
): void {
  const after = [...mentions.slice(1).map(({ removed }) => removed), isOn];
  if (mentions.every(({ added }, i) => added === after[i])) return;
  throw new StoreError(
    "damaged",
    `The blocks that lead to version ${version} of ${list} contradict one another`,
  );
}

/**
 * Whether a full hash was on an older version that has its prefix; `null` if the full hashes are gone.
 *
 * @param isAdded whether the shortest block adds the prefix, and so has all its full hashes, unless the version is a
 * base.
 */
async function wasListed(
  storage: Storage,
  { version, base, blocks }: Manifest,
  hash: Uint8Array,
  isAdded: boolean,
): Promise<Presence> {
  const block = isAdded ? blocks[0] : undefined;
  const described = (base.version === version ? base : block)?.hashes;
  if (described == null) return null;
  try {
    const { shards } = await readHashes(storage, described);
    const name = shards[shardNumber(hash, 0, Math.log2(shards.length))]!;
    return findInShard(hashesIn(await getShard(storage, name)), hash, 0).length > 0;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}
