import { encodePrefixList } from "@x/prefix-list";
import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { type Change, joinTwo, lengthOfChange } from "./change.ts";
import { type SortedHashes, shardsOf } from "./full-hashes.ts";
import {
  type Base,
  encodeShardIndex,
  getPrefixes,
  type Layer,
  type Layers,
  type StoredPrefixes,
  wordsIn,
} from "./layers.ts";
import type { Sha256 } from "./objects.ts";
import { collectRests, LONG_PREFIX_BYTES } from "./rests.ts";
import type { Storage } from "./storage.ts";
import {
  common,
  firstNotBelow,
  listOfWords,
  type PrefixWords,
  union,
  WORD_SETS,
  without,
} from "./words.ts";

const countOf = (prefixes: StoredPrefixes | null) => prefixes?.count ?? 0;
/** The number of prefixes that a layer removes or has full hashes for. */
const prefixesIn = ({ removed, added, changed }: Layer) =>
  countOf(removed) + countOf(added) + countOf(changed);

/** Joins two consecutive changes. `words` has the prefixes of the list after both changes. */
function joinLayers(first: LayerWords, second: LayerWords, words: PrefixWords): LayerWords {
  const { removed, added } = joinTwo(first, second, WORD_SETS);
  const mentioned = union(mentionsOf(second), without(mentionsOf(first), mentionsOf(second)));
  return { removed, added, changed: without(common(mentioned, words), added) };
}

/** The layers of the previous version and the prefixes whose full hashes they have. */
interface LayersBefore {
  readonly version: number;
  readonly layers: Layers;
  readonly mentioned: readonly PrefixWords[];
}

async function readWords(
  storage: Storage,
  prefixes: StoredPrefixes | null,
  sha256: Sha256 | undefined,
): Promise<PrefixWords> {
  return wordsIn(prefixes && (await getPrefixes(storage, prefixes)), sha256);
}

/** Joins a new layer with older ones. */
async function merge(
  storage: Storage,
  { fresh, sha256 }: NewParts,
  older: readonly Layer[],
  { level, change }: NewLayer,
): Promise<NewLayer> {
  let joined = change;
  for (const { removed, added, changed } of older.toReversed()) {
    const before = {
      removed: await readWords(storage, removed, sha256),
      added: await readWords(storage, added, sha256),
      changed: await readWords(storage, changed, sha256),
    };
    joined = joinLayers(before, joined, fresh.words);
  }
  return { after: older[0]!.after, level, change: joined };
}

/**
 * Writes the new contents and returns their layers: those of the previous version and one more, with some of them
 * merged, or a new base.
 *
 * Only the prefixes of merged layers are read from the store, because the caller passes in the new full hashes.
 */
export async function writeLayers(
  storage: Storage,
  parts: NewParts,
  before: LayersBefore | null,
  change: LayerWords,
): Promise<Layers> {
  if (before === null) return writeBase(parts, 1);
  const { fresh } = parts;
  const { version, layers, mentioned } = before;
  const own = lengthOfChange(change) + change.changed.length;
  const changes = [...layers.layers.map(prefixesIn), Math.max(own, MIN_MENTIONS)];
  if (needsBase(fresh.hashes.count, fresh.words.length, changes))
    return writeBase(parts, version + 1);
  const last = { after: version, level: 0, change: amongOthers(change, fresh.words, mentioned) };
  return {
    base: layers.base,
    layers: await stacked(
      layers.layers,
      last,
      (older, layer) => merge(storage, parts, older, layer),
      (layer) => writeLayer(parts, layer),
    ),
  };
}

/*
 * Decides when layers of changes are merged, so that there are only a few, and when a version is stored completely
 * again.
 */

/** The number of layers of one level that are merged into one of the next. */
const MERGED = 8;
/**
 * A list with at most this many entries takes about as much room as the index of its layers, so it is always stored
 * completely.
 */
const ALWAYS_WHOLE = 2 ** 9;

/**
 * Whether a list becomes a new base because its layers would have changed more than half of its `items`, or because it
 * is short.
 */
export function needsBase(entries: number, items: number, changes: readonly number[]): boolean {
  return entries <= ALWAYS_WHOLE || 2 * changes.reduce((sum, count) => sum + count, 0) > items;
}

interface Leveled {
  readonly level: number;
}

/**
 * Puts a new layer on top of others. When this makes eight layers of one level, they are merged into one of the next
 * level, and so on.
 *
 * @param merge joins the new layer with the older ones below it.
 */
export async function stacked<Layer extends Leveled, Fresh extends Leveled>(
  layers: readonly Layer[],
  last: Fresh,
  merge: (older: readonly Layer[], last: Fresh) => Promise<Fresh>,
  write: (last: Fresh) => Promise<Layer>,
): Promise<Layer[]> {
  const start = layers.length - (MERGED - 1);
  if (start < 0 || layers[start]!.level !== last.level) return [...layers, await write(last)];
  const merged = { ...(await merge(layers.slice(start), last)), level: last.level + 1 };
  return stacked(layers.slice(0, start), merged, merge, write);
}

/**
 * A layer has the full hashes of at least this many prefixes. If a layer had only those that changed, the host of the
 * store could narrow a reader's search down to a few entries.
 */
export const MIN_MENTIONS = 128;

/**
 * Adds some prefixes that did not change to a short change. The added prefixes must not be in another layer: a search
 * reads only the newest layer with a prefix, so the older layer would then be read for fewer prefixes.
 *
 * The list has enough such prefixes, because the layers mention at most half of its prefixes.
 */
export function amongOthers(
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

/** The entries of a new version. */
export interface NewEntries {
  readonly hashes: SortedHashes;
  /** The prefixes of the full hashes. */
  readonly words: PrefixWords;
  /** The checksum of the prefixes. */
  readonly checksum: string;
  readonly name: string;
  /** The time of the version, in milliseconds since 1970. */
  readonly created: number;
}

/**
 * A change of prefixes, and more prefixes whose full hashes the layer has. Some of these prefixes stay on the list
 * while their full hashes change. The others do not change.
 */
export interface LayerWords extends Change<PrefixWords> {
  readonly changed: PrefixWords;
}

/** A layer that is not stored yet. */
export interface NewLayer {
  readonly after: number;
  readonly level: number;
  readonly change: LayerWords;
}

/** Functions that write the parts of a version and return the hashes of their objects. */
export interface PartWriter {
  object(bytes: Uint8Array): Promise<string>;
  /** Writes several objects, a few at a time. */
  objects(all: AsyncIterable<Uint8Array>): Promise<string[]>;
}

export interface NewParts {
  readonly writer: PartWriter;
  readonly fresh: NewEntries;
  readonly sha256: Sha256 | undefined;
}

/** The prefixes for which a layer has full hashes. */
export function mentionsOf({ added, changed }: LayerWords): PrefixWords {
  return union(added, changed);
}

/**
 * Picks the full hashes whose first words are among some ascending words, and keeps them in memory. The function
 * searches for each word, because most hashes begin with other words.
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
    // The bytes are copied, because a view would keep the whole shard in memory.
    const piece = concatBytes(found);
    pieces.push(piece);
    bytes += piece.length;
  }
  return { count: bytes / FULL_HASH_BYTES, pieces: () => pieces };
}

async function writeHashes(
  { writer }: NewParts,
  hashes: SortedHashes,
): Promise<Required<Pick<Base, "shards" | "rests">>> {
  const rests = collectRests(hashes.count);
  const shards = await writer.objects(rests.passOn(shardsOf(hashes)));
  const object = await writer.object(rests.object());
  return {
    shards: await writer.object(encodeShardIndex({ shards })),
    rests: { count: hashes.count, objects: [{ prefixBytes: LONG_PREFIX_BYTES, object }] },
  };
}

async function writeList(
  { writer, fresh: { name, created }, sha256 }: NewParts,
  words: PrefixWords,
): Promise<StoredPrefixes> {
  const bytes = encodePrefixList(listOfWords(words, name, created, sha256));
  return { object: await writer.object(bytes), count: words.length, bytes: bytes.length };
}

async function writePrefixes(parts: NewParts, words: PrefixWords): Promise<StoredPrefixes | null> {
  return words.length === 0 ? null : writeList(parts, words);
}

export async function writeBase(parts: NewParts, version: number): Promise<Layers> {
  const { fresh } = parts;
  const prefixes = await writeList(parts, fresh.words);
  return { base: { version, prefixes, ...(await writeHashes(parts, fresh.hashes)) }, layers: [] };
}

export async function writeLayer(
  parts: NewParts,
  { after, level, change }: NewLayer,
): Promise<Layer> {
  const mentions = mentionsOf(change);
  return {
    after,
    level,
    removed: await writePrefixes(parts, change.removed),
    added: await writePrefixes(parts, change.added),
    changed: await writePrefixes(parts, change.changed),
    ...(mentions.length === 0
      ? { shards: null }
      : await writeHashes(parts, await pickHashes(parts.fresh.hashes, mentions))),
  };
}
