import type { PrefixList } from "@x/prefix-list";
import {
  type BlockLink,
  changeIn,
  getBlock,
  joinChanges,
  readBlock,
  type StoredObject,
  type WrittenLink,
  walkBack,
} from "./block.ts";
import { applyChange } from "./change.ts";
import { StoreError } from "./error.ts";
import type { LogEntry, Manifest } from "./manifest.ts";
import type { StoredList } from "./read-log.ts";
import { hashOf, type Sha256, type Storage } from "./storage.ts";
import { bytesOf, distinct, listOfWords, type PrefixWords } from "./words.ts";

/** The prefixes of a version, as a list and as words. */
export interface Snapshot {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
}

/** The input of {@link makeSnapshot}. */
export interface SnapshotParts {
  /** All prefixes of an older version: the words, or the block of a base. */
  readonly from: StoredObject | PrefixWords;
  /** The blocks since that version, the newest first. */
  readonly blocks: readonly StoredObject[];
  readonly list: string;
  /** The time of the version, in milliseconds since 1970. */
  readonly created: number;
}

/** The prefixes of a version as words, with what a manifest says about them. */
export interface ProvableWords {
  readonly prefixes: Pick<PrefixList, "checksum" | "size">;
  readonly words: PrefixWords;
}

/**
 * Makes the prefixes from objects, in this thread or another one.
 * `entries` is an estimate of the work. The bytes of objects may be transferred to the other thread.
 */
export type MakeSnapshot<Made extends ProvableWords = Snapshot> = (
  parts: SnapshotParts,
  entries: number,
) => Made | Promise<Made>;

/** Makes a snapshot in this thread. `sha256` replaces the JavaScript implementation of SHA-256. */
export function makeSnapshot(parts: SnapshotParts, sha256?: Sha256): Snapshot {
  const words = joinWords(parts);
  return { prefixes: listOfWords(words, parts.list, parts.created, sha256), words };
}

function joinWords({ from, blocks }: SnapshotParts): PrefixWords {
  const before = "object" in from ? changeIn(from).added : from;
  const words = blocks.length === 0 ? before : applyChange(before, joinChanges(blocks));
  // A block that adds existing prefixes is wrong, but the list, which has no duplicates, may still be correct.
  return distinct(words);
}

/** Makes the prefixes without a list of them, for readers that need a list of longer ones. */
export function makeWords(parts: SnapshotParts): Promise<ProvableWords> {
  return provable(joinWords(parts));
}

export async function provable(words: PrefixWords): Promise<ProvableWords> {
  return { words, prefixes: { checksum: await hashOf(bytesOf(words)), size: words.length } };
}

/**
 * Makes the prefixes of a version from those of an older one and from the blocks since then, the newest first, and
 * checks them against the manifest.
 */
export async function checkedSnapshot<Made extends ProvableWords>(
  { contents, list, version, issued: created }: Manifest,
  from: StoredObject | PrefixWords,
  blocks: readonly StoredObject[],
  make: MakeSnapshot<Made>,
): Promise<Made> {
  // A block takes about two bytes for each prefix.
  const count = blocks.reduce((sum, { bytes }) => sum + bytes.length / 2, contents.prefixes);
  const snapshot = await make({ from, blocks, list, created }, count);
  const { checksum, size } = snapshot.prefixes;
  if (checksum === contents.checksum && size === contents.prefixes) return snapshot;
  throw new StoreError(
    "damaged",
    `The prefixes of version ${version} of ${list} are not the ones that were signed`,
  );
}

/** Reads the prefixes of a version, and checks them against its manifest. */
export async function readSnapshot(
  storage: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<Snapshot> {
  return loadSnapshot(storage, manifest, (parts) => makeSnapshot(parts, sha256));
}

/** Like {@link readSnapshot}. `make` may work in another thread. */
export async function loadSnapshot<Made extends ProvableWords>(
  storage: Storage,
  manifest: Manifest,
  make: MakeSnapshot<Made>,
): Promise<Made> {
  const { base } = manifest;
  const [from, blocks] = await Promise.all([
    getBlock(storage, base),
    blocksTo(manifest, (link) => readBlock(storage, link)),
  ]);
  const stored = blocks.map(({ block }) => block.stored);
  return checkedSnapshot(manifest, from, stored, make);
}

/**
 * The blocks that lead from the base of a version to that version, the newest first. If there is a version `until`, the
 * blocks that end at or before it are left out.
 */
export async function blocksTo<Block extends { readonly links: readonly BlockLink[] }>(
  manifest: Manifest,
  read: (link: WrittenLink) => Promise<Block>,
  until: number = manifest.base.version,
): Promise<{ readonly link: WrittenLink; readonly block: Block }[]> {
  const { list, version, base } = manifest;
  const blocks = await walkBack(manifest, base.version, read, { until });
  if (blocks !== null) return blocks;
  throw new StoreError(
    "damaged",
    `No blocks lead from version ${base.version} of ${list}, which is a base, to version ${version}`,
  );
}

/** A version of a list that a reader keeps, for example in files. */
export interface KeptVersion {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
}

/** A verified version of a list, in memory. */
export interface LoadedList extends KeptVersion {
  /** The first four bytes of the prefixes. */
  readonly words: PrefixWords;
  /** The verified entries that have been read, by version: this version and older ones. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** The list to load and options for loading it. */
export interface LoadOptions extends StoredList {
  /**
   * The length of the prefixes in bytes: 4 (the default) or 8, or 32 for full hashes. Longer prefixes need longer
   * downloads, and match by chance less often.
   */
  readonly prefixBytes?: number | undefined;
  /**
   * Makes the prefixes of a version from stored objects, for example in another thread. This function is not used for
   * longer prefixes.
   */
  readonly makeSnapshot?: MakeSnapshot | undefined;
  /** Whether to load expired versions, too. A storage can then hold back newer versions unnoticed. */
  readonly allowsExpired?: boolean | undefined;
}
