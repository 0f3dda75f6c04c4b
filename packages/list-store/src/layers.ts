import { decodePrefixList } from "@x/prefix-list";
import { decodeText, encodeText } from "./bytes.ts";
import type { Change } from "./change.ts";
import { StoreError } from "./error.ts";
import { MAX_SHARD_BITS } from "./full-hashes.ts";
import type { Manifest } from "./manifest.ts";
import { getObject, isHash, type Sha256 } from "./objects.ts";
import { areRests, type StoredRests } from "./rests.ts";
import type { Storage } from "./storage.ts";
import { NO_WORDS, type PrefixWords, wordsOf } from "./words.ts";

/*
 * The cost of a version depends on how much it changes. The contents of a version are those of an older one, the base,
 * with layers of changes on top. The newest layer that mentions a prefix has all full hashes with that prefix; if no
 * layer mentions it, the base has them. So a search reads one shard. Shards may still have the full hashes of removed
 * prefixes, so a search first looks the prefix up in the list.
 *
 * Eight layers of one level are merged into one of the next. When the layers have changed more than half of the list,
 * the whole list becomes a new base. An index object names the objects of the base and of the layers.
 */

/** An object with a list file of prefixes. */
export interface StoredPrefixes {
  readonly object: string;
  readonly count: number;
  /** The approximate length of the object in bytes. */
  readonly bytes: number;
}

/** A version whose prefixes and full hashes are stored completely. */
export interface Base {
  readonly version: number;
  readonly prefixes: StoredPrefixes;
  /** The hash of the object that names the shards of full hashes. */
  readonly shards: string;
  /** The rests of the full hashes, for readers that keep longer prefixes; absent when the publisher wrote none. */
  readonly rests?: StoredRests | undefined;
}

/** The change from the version `after` up to the next layer, or up to the version of the index. */
export interface Layer extends Change<StoredPrefixes | null> {
  readonly after: number;
  /** Level 0 is the change of one version. Eight layers of one level are merged into one of the next. */
  readonly level: number;
  /**
   * More prefixes whose full hashes are in this layer. Some of them stayed on the list while their full hashes changed,
   * and perhaps changed back. The others did not change.
   */
  readonly changed: StoredPrefixes | null;
  /**
   * The hash of the object that names the shards with all full hashes of added and changed prefixes; `null` when there
   * are none.
   */
  readonly shards: string | null;
  /**
   * The rests of the full hashes in this layer; absent when the layer has no full hashes, or when the publisher wrote
   * no rests.
   */
  readonly rests?: StoredRests | undefined;
}

export interface Layers {
  readonly base: Base;
  /** The layers, the oldest first. Each layer begins at the version where the previous one ends. */
  readonly layers: readonly Layer[];
}

/** The maximum length of an index in bytes. An index has at most seven layers of each level. */
const MAX_INDEX_BYTES = 2 ** 18;

export function encodeLayers(layers: Layers): Uint8Array {
  return encodeText(`${JSON.stringify(layers)}\n`);
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isPrefixes(value: Partial<StoredPrefixes>): boolean {
  return isHash(value.object) && isCount(value.count) && isCount(value.bytes);
}

function isLayer(layer: Partial<Layer>): boolean {
  const { after, level, removed, added, changed, shards, rests } = layer;
  return (
    [after, level].every(isCount) &&
    [removed, added, changed].every((prefixes) => prefixes === null || isPrefixes(prefixes!)) &&
    (shards === null ? added === null && changed === null : isHash(shards)) &&
    areRests(rests)
  );
}

function isLayers({ base, layers }: Partial<Layers>): boolean {
  return (
    isCount(base!.version) &&
    isPrefixes(base!.prefixes) &&
    isHash(base!.shards) &&
    areRests(base!.rests) &&
    layers!.every(isLayer) &&
    layers!.every(({ after }, i) => after >= (layers![i - 1]?.after ?? base!.version))
  );
}

/** Describes stored prefixes. Their length in bytes is estimated from `count`. */
export function uncounted(object: string, count: number): StoredPrefixes {
  return { object, count, bytes: Math.ceil(riceBytes(count, 2 ** 32)) };
}

/** Reads the index of a version's layers, which has the places of its prefixes and full hashes. */
export async function readLayers(storage: Storage, { contents }: Manifest): Promise<Layers> {
  const hash = contents.layers;
  const text = decodeText(await getObject(storage, hash, MAX_INDEX_BYTES));
  try {
    const layers = JSON.parse(text) as Layers;
    if (isLayers(layers)) return layers;
  } catch {
    // The error is thrown below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of layers`);
}

/** The objects with the prefixes and rests of a version, and those that name its shards. */
export function objectsIn({ base, layers }: Layers): { parts: string[]; shardIndexes: string[] } {
  const parts = [base.prefixes.object];
  const shardIndexes = [base.shards];
  for (const { removed, added, changed, shards } of layers) {
    for (const prefixes of [removed, added, changed]) {
      if (prefixes !== null) parts.push(prefixes.object);
    }
    if (shards !== null) shardIndexes.push(shards);
  }
  for (const { rests } of [base, ...layers]) {
    for (const { object } of rests?.objects ?? []) parts.push(object);
  }
  return { parts, shardIndexes };
}

/** The maximum length of an index, in bytes. An index has a line for each shard. */
const MAX_SHARD_INDEX_BYTES = 2 ** MAX_SHARD_BITS * 80;

/** The names of the shards, in ascending order of the full hashes in them. The number of shards is a power of two. */
interface ShardIndex {
  readonly shards: readonly string[];
}

export function encodeShardIndex(index: ShardIndex): Uint8Array {
  return encodeText(`${JSON.stringify(index, null, 2)}\n`);
}

export async function readShardIndex(storage: Storage, hash: string): Promise<ShardIndex> {
  const text = decodeText(await getObject(storage, hash, MAX_SHARD_INDEX_BYTES));
  try {
    const { shards } = JSON.parse(text) as ShardIndex;
    const isPower =
      Number.isInteger(Math.log2(shards.length)) && shards.length <= 2 ** MAX_SHARD_BITS;
    if (isPower && shards.every(isHash)) return { shards };
  } catch {
    // The error is thrown below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of shards`);
}

/** An object, checked against its hash. */
export interface StoredObject {
  readonly object: string;
  readonly bytes: Uint8Array;
}

/**
 * The maximum length, in bytes, of an object with this many prefixes. Rice codes take fewer than eight bytes per
 * prefix, and a name is short.
 */
function mostBytes(count: number): number {
  return 2 ** 16 + 8 * count;
}

/** The bytes of an object of prefixes. The thread that needs the prefixes decodes these bytes. */
export async function getPrefixes(
  storage: Storage,
  { object, count }: StoredPrefixes,
): Promise<StoredObject> {
  return { object, bytes: await getObject(storage, object, mostBytes(count)) };
}

/** The prefixes in an object as words; no words for `null`. Words are returned unchanged. */
export function wordsIn(stored: StoredObject | PrefixWords | null, sha256?: Sha256): PrefixWords {
  if (stored === null) return NO_WORDS;
  return "object" in stored ? wordsOf(decodePrefixList(stored.bytes, { sha256 })) : stored;
}

/** The approximate length, in bytes, of Rice codes for `count` numbers below `end`. */
export function riceBytes(count: number, end: number): number {
  // Each number takes about 1.5 bits more than the binary logarithm of the mean gap, but at least four bits.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}

/** The overhead of downloading an object, in bytes: a request with its headers. */
export const REQUEST_BYTES = 500;
/** The approximate cost of downloading a manifest in bytes, including its request. */
export const MANIFEST_BYTES: number = REQUEST_BYTES + 1300;
