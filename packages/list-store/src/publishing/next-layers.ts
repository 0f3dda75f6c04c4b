import { encodePrefixList } from "@x/prefix-list";
import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "../bytes.ts";
import { type Change, joinTwo, lengthOfChange } from "../contents/change.ts";
import { encodeShardIndex, type SortedHashes, shardsOf } from "../contents/full-hashes.ts";
import type { Base, Layer, Layers, StoredPrefixes } from "../contents/layers.ts";
import { listOfWords, type PrefixWords } from "../contents/prefix-words.ts";
import { collectRests, type RestsObject } from "../contents/rests.ts";
import { firstNotBelow } from "../contents/search-hashes.ts";
import { getPrefixes, wordsIn } from "../contents/stored-prefixes.ts";
import { common, union, WORD_SETS, without } from "../contents/word-sets.ts";
import type { Sha256 } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { needsBase, stacked } from "./stack-layers.ts";

/** The entries of a new version. */
export interface NewEntries {
  readonly hashes: SortedHashes;
  /** The prefixes of the full hashes. */
  readonly words: PrefixWords;
  /** The checksum, the name and the time of the list of prefixes. */
  readonly checksum: string;
  readonly name: string;
  readonly created: number;
}

/**
 * A change of prefixes, and more prefixes whose full hashes the layer has. Some of these stay on the list while their
 * full hashes change. The others do not change.
 */
export interface LayerWords extends Change<PrefixWords> {
  readonly changed: PrefixWords;
}

/** A layer that is not stored yet. */
interface NewLayer {
  readonly after: number;
  readonly level: number;
  readonly change: LayerWords;
}

/**
 * A layer has the full hashes of at least this many prefixes. If a layer had only those that changed, the host of the
 * store could narrow a reader's search down to a few entries.
 */
const MIN_MENTIONS = 128;

const countOf = (prefixes: StoredPrefixes | null) => prefixes?.count ?? 0;
/** The number of prefixes that a layer removes or has full hashes for. */
const prefixesIn = ({ removed, added, changed }: Layer) =>
  countOf(removed) + countOf(added) + countOf(changed);

/** Joins two consecutive changes. `words` are the prefixes of the list after both. */
function joinLayers(first: LayerWords, second: LayerWords, words: PrefixWords): LayerWords {
  const { removed, added } = joinTwo(first, second, WORD_SETS);
  const mentioned = union(mentionsOf(second), without(mentionsOf(first), mentionsOf(second)));
  return { removed, added, changed: without(common(mentioned, words), added) };
}

/**
 * Adds some prefixes that did not change to a short change. They must not be in another layer: a search reads only the
 * newest layer with a prefix, so the older layer would then be read only for the rest of its prefixes.
 *
 * The list has enough of them, because the layers mention at most half of its prefixes.
 */
function amongOthers(
  change: LayerWords,
  words: PrefixWords,
  mentioned: readonly PrefixWords[],
): LayerWords {
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

function mentionsOf({ added, changed }: LayerWords): PrefixWords {
  return union(added, changed);
}

/**
 * Picks the full hashes whose first words are among some ascending words, and keeps them in memory. It searches for
 * them, because most hashes begin with other words.
 */
async function pickHashes(hashes: SortedHashes, words: PrefixWords): Promise<SortedHashes> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let next = 0;
  // All hashes with the same first word are in one shard.
  for await (const shard of shardsOf(hashes)) {
    const found: Uint8Array[] = [];
    const count = shard.length / FULL_HASH_BYTES;
    for (let end = 0; next < words.length; next++) {
      const word = words[next]!;
      const wordOf = (index: number) => wordAt(shard, index * FULL_HASH_BYTES);
      const start = firstNotBelow(count, end, (index) => wordOf(index) < word, 1);
      if (start === count) break;
      for (end = start; end < count && wordOf(end) === word; end++);
      found.push(shard.subarray(start * FULL_HASH_BYTES, end * FULL_HASH_BYTES));
    }
    // A copy, because a view would keep the whole shard in memory.
    const piece = concatBytes(found);
    pieces.push(piece);
    bytes += piece.length;
  }
  return { count: bytes / FULL_HASH_BYTES, pieces: () => pieces };
}

/** Functions that write the parts of a version, and return the hashes of their objects. */
export interface PartWriter {
  object(bytes: Uint8Array): Promise<string>;
  /** Writes several objects, a few at a time. */
  objects(all: AsyncIterator<Uint8Array>): Promise<string[]>;
}

/** The layers of the previous version, and the prefixes whose full hashes they have. */
interface LayersBefore {
  readonly version: number;
  readonly layers: Layers;
  readonly mentioned: readonly PrefixWords[];
}

/**
 * Writes the new contents and returns their layers: those of the previous version and one more, with some of them
 * merged, or a new base.
 *
 * Only the prefixes of merged layers are read from the store, because the new full hashes are at hand.
 */
export async function writeLayers(
  storage: Storage,
  writer: PartWriter,
  fresh: NewEntries,
  before: LayersBefore | null,
  change: LayerWords,
  sha256?: Sha256,
): Promise<Layers> {
  const { name, created } = fresh;

  /** Writes full hashes, and their rests. */
  async function writeHashes(
    hashes: SortedHashes,
  ): Promise<Required<Pick<Base, "shards" | "rests">>> {
    const rests = collectRests(hashes.count);
    const shards = await writer.objects(rests.passOn(shardsOf(hashes)));
    const objects: RestsObject[] = [];
    for (const { prefixBytes, bytes } of rests.objects()) {
      objects.push({ prefixBytes, object: await writer.object(bytes) });
    }
    return {
      shards: await writer.object(encodeShardIndex({ shards })),
      rests: { count: hashes.count, objects },
    };
  }

  async function writeList(words: PrefixWords): Promise<StoredPrefixes> {
    const bytes = encodePrefixList(listOfWords(words, name, created, sha256));
    return { object: await writer.object(bytes), count: words.length, bytes: bytes.length };
  }

  async function writePrefixes(words: PrefixWords): Promise<StoredPrefixes | null> {
    return words.length === 0 ? null : writeList(words);
  }

  async function writeBase(version: number): Promise<Layers> {
    const prefixes = await writeList(fresh.words);
    return { base: { version, prefixes, ...(await writeHashes(fresh.hashes)) }, layers: [] };
  }

  async function writeLayer({ after, level, change }: NewLayer): Promise<Layer> {
    const mentions = mentionsOf(change);
    return {
      after,
      level,
      removed: await writePrefixes(change.removed),
      added: await writePrefixes(change.added),
      changed: await writePrefixes(change.changed),
      ...(mentions.length === 0
        ? { shards: null }
        : await writeHashes(await pickHashes(fresh.hashes, mentions))),
    };
  }

  async function readWords(prefixes: StoredPrefixes | null): Promise<PrefixWords> {
    return wordsIn(prefixes && (await getPrefixes(storage, prefixes)), sha256);
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
      joined = joinLayers(before, joined, fresh.words);
    }
    return { after: older[0]!.after, level, change: joined };
  }

  if (before === null) return writeBase(1);
  const { version, layers, mentioned } = before;
  const own = lengthOfChange(change) + change.changed.length;
  const changes = [...layers.layers.map(prefixesIn), Math.max(own, MIN_MENTIONS)];
  if (needsBase(fresh.hashes.count, fresh.words.length, changes)) return writeBase(version + 1);
  const last = { after: version, level: 0, change: amongOthers(change, fresh.words, mentioned) };
  return { base: layers.base, layers: await stacked(layers.layers, last, merge, writeLayer) };
}
