import { type PrefixList, prefixList, rawHashesIn } from "@x/prefix-list";
import { firstWords } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { checkCount, hashesWith } from "./contents.ts";
import { StoreError } from "./error.ts";
import { getShard } from "./full-hashes.ts";
import { inParallel } from "./in-parallel.ts";
import { getPrefixes, type Layers, readLayers, readShardIndex, wordsIn } from "./layers.ts";
import type { KeptVersion, LoadedList, LoadOptions } from "./loaded-list.ts";
import { LONG_PREFIX_BYTES, readRests, restsObject, type StoredRests } from "./rests.ts";
import type { Storage } from "./storage.ts";
import { distinct, type PrefixWords, union } from "./words.ts";

/** The length of the prefixes of a list, in bytes; `null` when the list is empty. */
export function lengthOf({ lengths }: PrefixList): number | null {
  return lengths[0]?.prefixBytes ?? null;
}

/** The places of the full hashes of the base or of a layer. */
interface StoredHashes {
  readonly shards: string;
  readonly rests?: StoredRests | undefined;
  readonly words: () => Promise<PrefixWords>;
}

function cut(fullHashes: Uint8Array, prefixBytes: number): Uint8Array {
  const count = fullHashes.length / FULL_HASH_BYTES;
  const prefixes = new Uint8Array(count * prefixBytes);
  for (let i = 0; i < count; i++) {
    const at = i * FULL_HASH_BYTES;
    prefixes.set(fullHashes.subarray(at, at + prefixBytes), i * prefixBytes);
  }
  return prefixes;
}

/** The prefixes of full hashes, one for each, made from their rests where possible, or else from the full hashes. */
async function readStored(
  storage: Storage,
  { shards: index, rests, words }: StoredHashes,
  prefixBytes: number,
): Promise<Uint8Array> {
  const object = rests === undefined ? null : restsObject(rests);
  if (object !== null && prefixBytes === LONG_PREFIX_BYTES) {
    return readRests(storage, object, rests!.count, await words());
  }
  const { shards } = await readShardIndex(storage, index);
  const fullHashes = concatBytes(await inParallel(shards, (shard) => getShard(storage, shard)));
  return prefixBytes === FULL_HASH_BYTES ? fullHashes : cut(fullHashes, prefixBytes);
}

/**
 * The stored full hashes that version `known` may lack: those of later layers, the newest first, and those of a later
 * base.
 */
function storedAfter(
  storage: Storage,
  { base, layers }: Layers,
  known: number | null,
): { readonly stored: StoredHashes[]; readonly isWhole: boolean } {
  const isWhole = known === null || base.version > known;
  const stored: StoredHashes[] = [];
  for (const [i, { added, changed, shards, rests }] of layers.entries()) {
    const end = layers[i + 1]?.after ?? Infinity;
    if (shards === null || (!isWhole && end <= known)) continue;
    const read = async (prefixes: typeof added) =>
      wordsIn(prefixes && (await getPrefixes(storage, prefixes)));
    const words = async () => union(await read(added), await read(changed));
    stored.unshift({ shards, rests, words });
  }
  if (isWhole) {
    const words = async () => wordsIn(await getPrefixes(storage, base.prefixes));
    stored.push({ ...base, words });
  }
  return { stored, isWhole };
}

/** Throws unless `found` has the same words as the list, which the publisher has signed. */
function checkWords(found: PrefixWords, { words, entry: { manifest } }: LoadedList): void {
  if (found.length === words.length && found.every((word, i) => word === words[i])) return;
  const { list, version } = manifest;
  throw new StoreError(
    "damaged",
    `The longer prefixes of version ${version} of ${list} do not begin like those that were signed`,
  );
}

/**
 * Replaces the prefixes of a loaded list with longer ones, of 8 bytes, or with the full hashes.
 *
 * @param before the version that the reader keeps, if its prefixes have this length and belong to its entry. Only later
 * changes are then read.
 */
export async function withLongerPrefixes(
  list: LoadedList,
  before: KeptVersion | null,
  prefixBytes: number,
  { storage, sha256 }: LoadOptions,
): Promise<LoadedList> {
  const { entry, words } = list;
  const { manifest } = entry;
  const known = before?.entry.manifest ?? null;
  if (known?.contents.entries === manifest.contents.entries) {
    return { ...list, prefixes: before!.prefixes };
  }
  const layers = list.layers ?? (await readLayers(storage, manifest));
  const { stored, isWhole } = storedAfter(storage, layers, known?.version ?? null);
  const parts: Uint8Array[] = [];
  for (const each of stored) parts.push(await readStored(storage, each, prefixBytes));
  if (!isWhole) parts.push(rawHashesIn(before!.prefixes)[0]?.rawHashes ?? new Uint8Array(0));
  const group = { prefixBytes, rawHashes: hashesWith(words, parts, prefixBytes) };
  if (isWhole) checkCount(manifest, group.rawHashes.length / prefixBytes);
  checkWords(distinct(firstWords(group)), list);
  const { name, created } = list.prefixes;
  const groups = words.length === 0 ? [] : [group];
  return { ...list, layers, prefixes: prefixList(groups, { name, created, sha256 }) };
}
