import { encodePrefixList } from "@x/prefix-list";
import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "../bytes.ts";
import type { Change } from "../contents/change.ts";
import type { Base, Layer, Layers, StoredPrefixes } from "../contents/layers.ts";
import { listOfWords, type PrefixWords } from "../contents/prefix-words.ts";
import { collectRests, type RestsObject } from "../contents/rests.ts";
import { firstNotBelow } from "../contents/search-hashes.ts";
import { encodeShardIndex } from "../contents/shard-index.ts";
import type { SortedHashes } from "../contents/sort-full-hashes.ts";
import { shardsOf } from "../contents/split-into-shards.ts";
import { union } from "../contents/word-sets.ts";
import type { Sha256 } from "../objects.ts";

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
  objects(all: AsyncIterator<Uint8Array>): Promise<string[]>;
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
  const objects: RestsObject[] = [];
  for (const { prefixBytes, bytes } of rests.objects()) {
    objects.push({ prefixBytes, object: await writer.object(bytes) });
  }
  return {
    shards: await writer.object(encodeShardIndex({ shards })),
    rests: { count: hashes.count, objects },
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
