import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { encodeShardIndex, type SortedHashes, shardsOf } from "../contents/full-hashes.ts";
import { hashesWith } from "../contents/hash-layers.ts";
import type { Layer, Layers, StoredPrefixes } from "../contents/layers.ts";
import {
  common,
  joinChanges,
  type PrefixChange,
  union,
  without,
  wordsOfChange,
} from "../contents/prefix-change.ts";
import { listOfWords, type PrefixWords } from "../contents/prefix-words.ts";
import { getPrefixes, wordsIn } from "../contents/stored-prefixes.ts";
import type { Storage } from "../storage/storage.ts";
import { needsBase, stacked } from "./stack-layers.ts";

/** The new entries. */
export interface NewEntries {
  readonly hashes: SortedHashes;
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
}

/** A change of prefixes, and the prefixes on the list before and after whose full hashes changed. */
export interface LayerChange extends PrefixChange {
  readonly changed: PrefixWords;
}

/** A layer that is not stored yet. */
interface NewLayer {
  readonly after: number;
  readonly level: number;
  readonly change: LayerChange;
}

/**
 * A layer has the full hashes of at least so many prefixes that no other layer has. If it had only those that changed,
 * whoever hosts the store would learn from a search which of a few entries the reader has met.
 */
const MIN_MENTIONS = 128;

const countOf = (prefixes: StoredPrefixes | null) => prefixes?.count ?? 0;
/** How many prefixes a layer removes, or has the full hashes of. */
const prefixesIn = ({ removed, added, changed }: Layer) =>
  countOf(removed) + countOf(added) + countOf(changed);

/** Joins two consecutive changes of a list that has these words after them. */
function joinLayerChanges(
  first: LayerChange,
  second: LayerChange,
  words: PrefixWords,
): LayerChange {
  const { removed, added } = joinChanges(first, second);
  const mentioned = union(mentionsOf(second), without(mentionsOf(first), mentionsOf(second)));
  return { removed, added, changed: without(common(mentioned, words), added) };
}

/**
 * A change with more prefixes that are only mentioned. No other layer has them: a search reads only the newest layer with a
 * prefix, so an older one would be read for the rest of its prefixes alone.
 *
 * There are enough of them, because the layers mention at most half of the list.
 */
function amongOthers(
  change: LayerChange,
  words: PrefixWords,
  mentioned: readonly PrefixWords[],
): LayerChange {
  const mentions = mentionsOf(change);
  if (mentions.length === 0 || mentions.length >= MIN_MENTIONS) return change;
  const known = mentioned.reduce((all, each) => union(all, without(each, all)), mentions);
  const free = without(words, known);
  const others = Uint32Array.from(
    { length: MIN_MENTIONS },
    (_, i) => free[Math.floor((i * free.length) / MIN_MENTIONS)]!,
  );
  return { ...change, changed: union(change.changed, others) };
}

function mentionsOf({ added, changed }: LayerChange): PrefixWords {
  return union(added, changed);
}

/** Those of the full hashes that begin with some words, in memory. */
async function pickHashes(hashes: SortedHashes, words: PrefixWords): Promise<SortedHashes> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const shard of shardsOf(hashes)) {
    // A copy, because a view would keep the whole shard in memory.
    const piece = hashesWith(words, [shard]).slice();
    pieces.push(piece);
    bytes += piece.length;
  }
  return { count: bytes / FULL_HASH_BYTES, pieces: () => pieces };
}

/** Writes the parts of versions. Each returns the hash of an object. */
export interface PartWriter {
  object(bytes: Uint8Array): Promise<string>;
  /** Objects, a few at a time. */
  objects(all: AsyncIterator<Uint8Array>): Promise<string[]>;
}

/** Where the contents of the version before are, and what its layers mention. */
interface LayersBefore {
  readonly version: number;
  readonly layers: Layers;
  readonly mentioned: readonly PrefixWords[];
}

/**
 * Writes where the new contents are, and returns it: the layers of the version before with one more, with some of them
 * merged; or a new base.
 *
 * Of the store, only the prefixes of layers that are merged are read, because the new full hashes are at hand.
 */
export async function writeLayers(
  storage: Storage,
  writer: PartWriter,
  fresh: NewEntries,
  before: LayersBefore | null,
  change: LayerChange,
): Promise<Layers> {
  const { name, created } = fresh.prefixes;

  async function writeShards(hashes: SortedHashes): Promise<string> {
    return writer.object(encodeShardIndex({ shards: await writer.objects(shardsOf(hashes)) }));
  }

  async function writePrefixes(words: PrefixWords): Promise<StoredPrefixes | null> {
    if (words.length === 0) return null;
    const bytes = encodePrefixList(listOfWords(words, name, created));
    return { object: await writer.object(bytes), count: words.length, bytes: bytes.length };
  }

  async function writeBase(version: number): Promise<Layers> {
    const bytes = encodePrefixList(fresh.prefixes);
    const object = await writer.object(bytes);
    const prefixes = { object, count: fresh.words.length, bytes: bytes.length };
    return { base: { version, prefixes, shards: await writeShards(fresh.hashes) }, layers: [] };
  }

  async function writeLayer({ after, level, change }: NewLayer): Promise<Layer> {
    const mentions = mentionsOf(change);
    return {
      ...{ after, level },
      removed: await writePrefixes(change.removed),
      added: await writePrefixes(change.added),
      changed: await writePrefixes(change.changed),
      shards:
        mentions.length === 0 ? null : await writeShards(await pickHashes(fresh.hashes, mentions)),
    };
  }

  async function readWords(prefixes: StoredPrefixes | null): Promise<PrefixWords> {
    return wordsIn(prefixes && (await getPrefixes(storage, prefixes)));
  }

  /** Joins a new layer with older ones. */
  async function merge(older: readonly Layer[], { level, change }: NewLayer): Promise<NewLayer> {
    let joined = change;
    for (const { removed, added, changed } of older.toReversed()) {
      const before = {
        removed: await readWords(removed),
        added: await readWords(added),
        changed: await readWords(changed),
      };
      joined = joinLayerChanges(before, joined, fresh.words);
    }
    return { after: older[0]!.after, level, change: joined };
  }

  if (before === null) return writeBase(1);
  const { version, layers, mentioned } = before;
  const own = wordsOfChange(change) + change.changed.length;
  const changes = [...layers.layers.map(prefixesIn), Math.max(own, MIN_MENTIONS)];
  if (needsBase(fresh.hashes.count, fresh.words.length, changes)) return writeBase(version + 1);
  const last = { after: version, level: 0, change: amongOthers(change, fresh.words, mentioned) };
  return { base: layers.base, layers: await stacked(layers.layers, last, merge, writeLayer) };
}
