import { wordAt } from "@x/prefix-list/raw-hashes";
import type { HashLayer } from "./hash-layers.ts";
import { countBelow, type PrefixWords } from "./prefix-words.ts";
import { shardNumber } from "./shard-size.ts";

/** The shard with all full hashes that begin with a prefix, and the approximate index of the first of them. */
export interface ShardOfPrefix {
  readonly shard: string;
  readonly guess: number;
}

/** Whether the words of a list contain the first four bytes of a prefix. */
export function hasPrefix(words: PrefixWords, prefix: Uint8Array): boolean {
  const word = wordAt(prefix, 0);
  return words[countBelow(words, word)] === word;
}

/** Finds the shard for a prefix of at least four bytes; `null` when its first four bytes are not on the list. */
export function shardOf(
  { words, hashLayers }: { words: PrefixWords; hashLayers: readonly HashLayer[] },
  prefix: Uint8Array,
): ShardOfPrefix | null {
  const word = wordAt(prefix, 0);
  const indexInList = countBelow(words, word);
  if (words[indexInList] !== word) return null;
  for (const { mentions, shards } of hashLayers) {
    // The base has no `mentions`. The prefixes of the list are used instead, because they are nearly the same.
    const of = mentions ?? words;
    const index = mentions === null ? indexInList : countBelow(mentions, word);
    if (of[index] !== word) continue;
    const number = shardNumber(prefix, 0, Math.log2(shards.length));
    const start = countBelow(of, (number / shards.length) * 2 ** 32);
    return { shard: shards[number]!, guess: index - start };
  }
  return null;
}
