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

interface NewParts {
  /** Functions that write the parts of a version and return the hashes of their objects. */
  readonly writer: {
    object(bytes: Uint8Array): Promise<string>;
    /** Writes several objects, a few at a time. */
    objects(all: AsyncIterable<Uint8Array>): Promise<string[]>;
  };
  readonly fresh: NewEntries;
  readonly sha256: Sha256 | undefined;
}

/** The layers of the previous version and the prefixes whose full hashes they have. */
interface LayersBefore {
  readonly version: number;
  readonly layers: Layers;
  readonly mentioned: readonly PrefixWords[];
}

/**
 * A change of prefixes, and more prefixes whose full hashes the layer has. Some of these prefixes stay on the list
 * while their full hashes change. The others do not change.
 */
interface LayerWords extends Change<PrefixWords> {
  readonly changed: PrefixWords;
}

/** The number of layers of one level that are merged into one of the next. */
const MERGED = 8;

/**
 * Writes the new contents and returns their layers: those of the previous version and one more, or a new base. When the
 * new layer makes eight of one level, they are merged into one of the next level, and so on.
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
  if (needsBase(parts.fresh, before, change)) return writeBase(parts, before.version + 1);
  const { words } = parts.fresh;
  const { base, layers } = before.layers;
  const rest = [...layers];
  const last = { after: before.version, level: 0, change: amongOthers(change, words, before) };
  while (rest.length >= MERGED - 1 && rest.at(1 - MERGED)!.level === last.level) {
    const older = rest.splice(1 - MERGED);
    for (const layer of older.toReversed()) {
      last.change = joinLayers(await readWords(storage, layer, parts), last.change, words);
    }
    last.after = older[0]!.after;
    last.level++;
  }
  return { base, layers: [...rest, await writeLayer(parts, last)] };
}

/**
 * A list with at most this many entries takes about as much room as the index of its layers, so it is always stored
 * completely.
 */
const ALWAYS_WHOLE = 2 ** 9;

/** Whether a version becomes a base: its layers would have changed more than half of the list, or it is short. */
function needsBase(
  { hashes, words }: NewEntries,
  { layers: { layers } }: LayersBefore,
  change: LayerWords,
): boolean {
  const countOf = (prefixes: StoredPrefixes | null) => prefixes?.count ?? 0;
  const changed = layers.reduce(
    (sum, { removed, added, changed }) =>
      sum + countOf(removed) + countOf(added) + countOf(changed),
    Math.max(lengthOfChange(change) + change.changed.length, MIN_MENTIONS),
  );
  return hashes.count <= ALWAYS_WHOLE || 2 * changed > words.length;
}

/**
 * A layer has the full hashes of at least this many prefixes. If a layer had only those that changed, the host of the
 * store could narrow a reader's search down to a few entries.
 */
const MIN_MENTIONS = 128;

/** The prefixes for which a layer has full hashes. */
function mentionsOf({ added, changed }: LayerWords): PrefixWords {
  return union(added, changed);
}

/**
 * Adds some prefixes that did not change to a short change. The added prefixes must not be in another layer: a search
 * reads only the newest layer with a prefix, so the older layer would then be read for fewer prefixes.
 *
 * The list has enough such prefixes, because the layers mention at most half of its prefixes.
 */
function amongOthers(
  change: LayerWords,
  words: PrefixWords,
  { mentioned }: LayersBefore,
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

async function readWords(
  storage: Storage,
  { removed, added, changed }: Layer,
  { sha256 }: NewParts,
): Promise<LayerWords> {
  const read = async (prefixes: StoredPrefixes | null) =>
    wordsIn(prefixes && (await getPrefixes(storage, prefixes)), sha256);
  return { removed: await read(removed), added: await read(added), changed: await read(changed) };
}

/** Joins two consecutive changes. `words` has the prefixes of the list after both changes. */
function joinLayers(first: LayerWords, second: LayerWords, words: PrefixWords): LayerWords {
  const { removed, added } = joinTwo(first, second, WORD_SETS);
  const mentioned = union(mentionsOf(second), without(mentionsOf(first), mentionsOf(second)));
  return { removed, added, changed: without(common(mentioned, words), added) };
}

async function writeBase(parts: NewParts, version: number): Promise<Layers> {
  const { fresh } = parts;
  const prefixes = await writeList(parts, fresh.words);
  return { base: { version, prefixes, ...(await writeHashes(parts, fresh.hashes)) }, layers: [] };
}

async function writeLayer(
  parts: NewParts,
  { after, level, change }: Pick<Layer, "after" | "level"> & { readonly change: LayerWords },
): Promise<Layer> {
  const write = async (words: PrefixWords) => (words.length === 0 ? null : writeList(parts, words));
  const mentions = mentionsOf(change);
  return {
    after,
    level,
    removed: await write(change.removed),
    added: await write(change.added),
    changed: await write(change.changed),
    ...(mentions.length === 0
      ? { shards: null }
      : await writeHashes(parts, await pickHashes(parts.fresh.hashes, mentions))),
  };
}

async function writeList(
  { writer, fresh: { name, created }, sha256 }: NewParts,
  words: PrefixWords,
): Promise<StoredPrefixes> {
  const bytes = encodePrefixList(listOfWords(words, name, created, sha256));
  return { object: await writer.object(bytes), count: words.length, bytes: bytes.length };
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
