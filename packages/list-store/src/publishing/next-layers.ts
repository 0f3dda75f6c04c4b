import { joinTwo, lengthOfChange } from "../contents/change.ts";
import type { Layer, Layers, StoredPrefixes } from "../contents/layers.ts";
import type { PrefixWords } from "../contents/prefix-words.ts";
import { getPrefixes, wordsIn } from "../contents/stored-prefixes.ts";
import { common, union, WORD_SETS, without } from "../contents/word-sets.ts";
import type { Sha256 } from "../objects.ts";
import type { Storage } from "../storage.ts";
import { amongOthers, MIN_MENTIONS } from "./hide-searches-from-host.ts";
import { needsBase, stacked } from "./when-to-merge-layers.ts";
import {
  type LayerWords,
  mentionsOf,
  type NewLayer,
  type NewParts,
  writeBase,
  writeLayer,
} from "./write-layer.ts";

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
