import type { PrefixList } from "@x/prefix-list";
import { StoreError } from "../error.ts";
import type { Manifest } from "../manifest.ts";
import type { Sha256 } from "../objects.ts";
import type { Storage } from "../storage.ts";
import { applyChange, type Change } from "./change.ts";
import { joinChanges } from "./difference.ts";
import { type Layers, readLayers, type StoredPrefixes } from "./layers.ts";
import { listOfWords, type PrefixWords, wordsOf } from "./prefix-words.ts";
import { applyStep } from "./step.ts";
import { getPrefixes, prefixesIn, type StoredObject } from "./stored-prefixes.ts";

/** The prefixes of a version, as a list and as words. */
export interface Snapshot {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
}

/** The input of {@link makeSnapshot}. */
export interface SnapshotParts {
  /** All prefixes of an older version, as an object or as words. */
  readonly from: StoredObject | PrefixWords;
  /** The changes since that version, the newest first. */
  readonly changes: readonly Change<StoredObject | null>[];
  /** Steps to apply after the changes, the oldest first. */
  readonly steps?: readonly StoredObject[] | undefined;
  readonly list: string;
  /** The time of the version, in milliseconds since 1970. */
  readonly created: number;
}

/**
 * Checks the bytes of objects against their hashes, and makes the snapshot from them, in this thread or another one.
 * `entries` is an estimate of the work. The bytes of objects may be transferred to the other thread.
 */
export type MakeSnapshot = (parts: SnapshotParts, entries: number) => Snapshot | Promise<Snapshot>;

/** Makes a snapshot in this thread. `sha256` replaces the JavaScript implementation of SHA-256. */
export function makeSnapshot(
  { from, changes, steps = [], list, created }: SnapshotParts,
  sha256?: Sha256,
): Snapshot {
  if ("object" in from && changes.length + steps.length === 0) {
    const prefixes = prefixesIn(from, sha256);
    return { prefixes, words: wordsOf(prefixes) };
  }
  const before = "object" in from ? wordsOf(prefixesIn(from, sha256)) : from;
  let words = changes.length === 0 ? before : applyChange(before, joinChanges(changes, sha256));
  for (const step of steps) words = applyStep(words, step, sha256);
  const prefixes = listOfWords(words, list, created, sha256);
  // A change that adds existing prefixes is wrong, but the list, which has no duplicates, may still be correct.
  return { prefixes, words: prefixes.size === words.length ? words : wordsOf(prefixes) };
}

/** The number of changes that are read at the same time. */
const READS = 4;

/** Reads the objects of changes, in the order of the changes. */
export async function getChanges(
  storage: Storage,
  changes: readonly Change<StoredPrefixes | null>[],
): Promise<Change<StoredObject | null>[]> {
  const get = (prefixes: StoredPrefixes | null) => prefixes && getPrefixes(storage, prefixes);
  const stored: Change<StoredObject | null>[] = [];
  for (let start = 0; start < changes.length; start += READS) {
    const some = changes.slice(start, start + READS).map(async (change) => {
      const [removed, added] = await Promise.all([get(change.removed), get(change.added)]);
      return { removed, added };
    });
    stored.push(...(await Promise.all(some)));
  }
  return stored;
}

/** The total number of prefixes that changes remove and add. */
function countOf(changes: readonly Change<StoredPrefixes | null>[]): number {
  return changes.reduce(
    (sum, { removed, added }) => sum + (removed?.count ?? 0) + (added?.count ?? 0),
    0,
  );
}

/** Makes the prefixes of a version from their parts, and checks them against its manifest. */
async function checkedSnapshot(
  { contents, list, version, issued: created }: Manifest,
  parts: Omit<SnapshotParts, "list" | "created">,
  entries: number,
  make: MakeSnapshot,
): Promise<Snapshot> {
  const snapshot = await make({ ...parts, list, created }, entries);
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
  const layers = await readLayers(storage, manifest);
  return loadSnapshot(storage, manifest, layers, (parts) => makeSnapshot(parts, sha256));
}

/** Like {@link readSnapshot}, for a caller that has already read the layers. */
export async function loadSnapshot(
  storage: Storage,
  manifest: Manifest,
  { base, layers }: Layers,
  make: MakeSnapshot,
): Promise<Snapshot> {
  const parts = {
    from: await getPrefixes(storage, base.prefixes),
    changes: await getChanges(storage, layers.toReversed()),
  };
  return checkedSnapshot(manifest, parts, base.prefixes.count + countOf(layers), make);
}

/** The prefixes of a version, made from those of an older one by steps, the oldest first. */
export async function stepToSnapshot(
  manifest: Manifest,
  from: PrefixWords,
  steps: readonly StoredObject[],
  make: MakeSnapshot,
): Promise<Snapshot> {
  // A step takes about two bytes for each prefix that it removes or adds.
  const count = steps.reduce((sum, { bytes }) => sum + bytes.length / 2, 0);
  return checkedSnapshot(manifest, { from, changes: [], steps }, from.length + count, make);
}
