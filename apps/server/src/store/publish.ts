import {
  applyDifference,
  decodePrefixList,
  encodePrefixList,
  type PrefixList,
} from "@x/prefix-list";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { checkCreateOnly } from "./check-create-only.ts";
import { commit, readNewest, type SeenVersion, writeHint } from "./commit-log.ts";
import { StoreError } from "./error.ts";
import {
  countCommon,
  encodeShardIndex,
  readShardIndex,
  type Shards,
  shardIndexOf,
  shardsOf,
} from "./full-hashes.ts";
import { checkListName } from "./keys.ts";
import { type Change, type Contents, formatManifest, type Manifest } from "./manifest.ts";
import { getObject, hashOf, putObject } from "./objects.ts";
import { changeBetween, differenceTo, type PrefixChange } from "./prefix-change.ts";
import { listOfWords, type PrefixWords, readWords, wordsOf } from "./prefix-words.ts";
import { type Signer, signNote } from "./signed-note.ts";
import type { Storage } from "./storage/storage.ts";

/** What to publish, where, and in whose name. */
export interface Publication {
  readonly storage: Storage;
  readonly list: string;
  /** The full hashes of all entries, 32 bytes each, in pieces of any length and in any order. */
  readonly fullHashes: readonly Uint8Array[];
  readonly withdrawn?: boolean;
  readonly signer: Signer;
  /** The keys that the newest version may be signed with, and one of which must sign the next version. */
  readonly publicKeys: readonly string[];
  /** How long the new version is valid, in milliseconds. */
  readonly lifetime: number;
  /** Signs anew, even when nothing changed, when the newest version expires within so many milliseconds. */
  readonly renewWithin?: number;
  /** A version seen before, which the log must contain. */
  readonly seen?: SeenVersion | null;
  readonly now?: () => number;
  /** Finds out what would be published, and writes nothing. */
  readonly dryRun?: boolean;
}

/** What came of a publication. */
export interface Published {
  readonly outcome: "unchanged" | "changed" | "renewed";
  /** The newest version, ours or the one that was there; in a dry run the one that would be made. */
  readonly manifest: Manifest;
  readonly hash: string;
}

/** The new contents in memory, before anything is written. */
interface NewContents {
  readonly shards: Shards;
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
  readonly snapshot: Uint8Array;
  readonly shardIndex: Uint8Array;
}

function newContentsOf(
  list: string,
  fullHashes: readonly Uint8Array[],
  created: number,
): NewContents {
  const shards = shardsOf(fullHashes);
  const words = new Uint32Array(shards.count);
  let used = 0;
  for (const part of shards.parts) {
    words.set(readWords(part, FULL_HASH_BYTES), used);
    used += part.length / FULL_HASH_BYTES;
  }
  const prefixes = listOfWords(words, list, created);
  return {
    shards,
    words: prefixes.size === words.length ? words : wordsOf(prefixes),
    prefixes,
    snapshot: encodePrefixList(prefixes),
    shardIndex: encodeShardIndex(shardIndexOf(shards)),
  };
}

/** The list of prefixes that an entry of the log holds. */
export async function readSnapshot(
  storage: Storage,
  { contents, list, version }: Manifest,
): Promise<PrefixList> {
  const prefixes = decodePrefixList(await getObject(storage, contents.snapshot));
  if (prefixes.checksum !== contents.checksum || prefixes.size !== contents.prefixes) {
    throw new StoreError(
      "damaged",
      `The snapshot of version ${version} of ${list} is not the one that was signed`,
    );
  }
  return prefixes;
}

/** Counts the full hashes that the old and the new shards share. */
async function countShared(
  storage: Storage,
  old: readonly string[],
  shards: Shards,
): Promise<number> {
  const fresh = shardIndexOf(shards).shards;
  const groups = Math.min(old.length, fresh.length);
  let shared = 0;
  for (let group = 0; group < groups; group++) {
    const ofGroup = <T>(all: readonly T[]) =>
      all.slice((group * all.length) / groups, ((group + 1) * all.length) / groups);
    const [oldNames, freshParts] = [ofGroup(old), ofGroup(shards.parts)];
    if (oldNames.join() === ofGroup(fresh).join()) {
      shared += freshParts.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0);
      continue;
    }
    const oldParts: Uint8Array[] = [];
    for (const name of oldNames) oldParts.push(await getObject(storage, name));
    shared += countCommon(Buffer.concat(oldParts), Buffer.concat(freshParts));
  }
  return shared;
}

/** Writes objects once, and skips those that the version before refers to: they stay as long as it is the newest. */
function objectWriter(storage: Storage, dryRun: boolean) {
  const written = new Set<string>();
  return async (bytes: Uint8Array, kept: ReadonlySet<string>): Promise<string> => {
    const hash = hashOf(bytes);
    if (dryRun || kept.has(hash) || written.has(hash)) return hash;
    await putObject(storage, bytes);
    written.add(hash);
    return hash;
  };
}

/** Throws unless the difference that clients will get makes the old list into the new one. */
function verify(old: PrefixList, fresh: NewContents, list: string, change: PrefixChange): void {
  const { name, created, checksum } = fresh.prefixes;
  const difference = differenceTo(
    { words: fresh.words, name, created, checksum },
    change,
    old.checksum,
  );
  try {
    if (applyDifference(old, difference).checksum === checksum) return;
  } catch (error) {
    throw new StoreError("unverified", `The new version of ${list} does not come out right`, {
      cause: error,
    });
  }
  throw new StoreError("unverified", `The new version of ${list} has the wrong checksum`);
}

/**
 * Publishes a new version of a list, unless nothing changed.
 *
 * Objects are written first. The difference is then applied to the old list, and the checksum compared. Only then is
 * the next manifest created. When another publisher was faster, all of this is done again on top of its version.
 */
export async function publish(publication: Publication): Promise<Published> {
  const { storage, list, signer, publicKeys, lifetime, dryRun = false } = publication;
  const { withdrawn = false, renewWithin = 0, seen = null, now = Date.now } = publication;
  checkListName(list);
  if (!dryRun) await checkCreateOnly(storage);
  const fresh = newContentsOf(list, publication.fullHashes, now());
  const write = objectWriter(storage, dryRun);
  for (;;) {
    const newest = await readNewest(storage, list, publicKeys, seen);
    const before = newest?.manifest ?? null;
    const isChanged =
      before === null ||
      hashOf(fresh.shardIndex) !== before.contents.shards ||
      withdrawn !== before.withdrawn;
    if (!isChanged && before.expires - now() > renewWithin) {
      return { outcome: "unchanged", manifest: before, hash: newest!.hash };
    }
    const issued = now();
    const manifest: Manifest = {
      list,
      version: (before?.version ?? 0) + 1,
      previous: newest?.hash ?? null,
      issued,
      expires: issued + lifetime,
      ...(isChanged
        ? await writeContents(storage, write, fresh, before, list)
        : { contents: before.contents, change: null }),
      withdrawn,
      nextSigners: publicKeys,
    };
    const note = await signNote(formatManifest(manifest), signer);
    if (!dryRun) {
      if (!(await commit(storage, list, manifest.version, note))) continue;
      await writeHint(storage, list, manifest.version);
    }
    return { outcome: isChanged ? "changed" : "renewed", manifest, hash: hashOf(note) };
  }
}

async function writeContents(
  storage: Storage,
  write: (bytes: Uint8Array, kept: ReadonlySet<string>) => Promise<string>,
  fresh: NewContents,
  before: Manifest | null,
  list: string,
): Promise<{ contents: Contents; change: Change }> {
  const { checksum, created } = fresh.prefixes;
  const old =
    before === null ? listOfWords(new Uint32Array(0), "", 0) : await readSnapshot(storage, before);
  const oldShards =
    before === null ? [] : (await readShardIndex(storage, before.contents.shards)).shards;
  const change = changeBetween(wordsOf(old), fresh.words);
  verify(old, fresh, list, change);

  const kept = new Set(oldShards);
  for (const part of fresh.shards.parts) await write(part, kept);
  const isSameList = before !== null && checksum === old.checksum;
  const shared = await countShared(storage, oldShards, fresh.shards);
  const none = new Set<string>();
  const listOf = (words: PrefixWords) => encodePrefixList(listOfWords(words, list, created));
  return {
    contents: {
      since: isSameList ? before.contents.since : (before?.version ?? 0) + 1,
      prefixes: fresh.prefixes.size,
      fullHashes: fresh.shards.count,
      checksum,
      snapshot: isSameList ? before.contents.snapshot : await write(fresh.snapshot, none),
      shards: await write(fresh.shardIndex, none),
    },
    change: {
      added: await write(listOf(change.added), none),
      removed: await write(listOf(change.removed), none),
      addedEntries: fresh.shards.count - shared,
      removedEntries: (before?.contents.fullHashes ?? 0) - shared,
    },
  };
}
