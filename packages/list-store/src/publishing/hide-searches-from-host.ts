import type { PrefixWords } from "../contents/prefix-words.ts";
import { union, without } from "../contents/word-sets.ts";
import { type LayerWords, mentionsOf } from "./write-layer.ts";

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
