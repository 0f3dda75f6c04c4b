import { bytesOf, PREFIX_BYTES, type PrefixWords } from "@x/list-store/serving";
import { type PrefixListDifference, prefixList, type RawHashes } from "@x/prefix-list";
import { fullUpdate, type ListUpdate, partialUpdate } from "@x/wire";

/** The four-byte prefixes of a list, or only the first of them. */
export interface ListContents {
  readonly words: PrefixWords;
  /** The SHA-256 of the prefixes in lower-case hex. */
  readonly checksum: string;
}

/** The longer prefixes of a list, all of one length, or only the first of them. */
export interface LongerContents extends RawHashes {
  /** The SHA-256 of the prefixes in lower-case hex. */
  readonly checksum: string;
}

export type AnyContents = ListContents | LongerContents;

/** The number of prefixes. */
export function countOf(contents: AnyContents): number {
  return "words" in contents
    ? contents.words.length
    : contents.rawHashes.length / contents.prefixBytes;
}

/** The source of an update: the contents of a list for a full update, or a difference for a partial one. */
export type UpdateSource = AnyContents | PrefixListDifference;

/** An empty full update, for a list that is not in the store. */
export const EMPTY_UPDATE: ListUpdate = fullUpdate(prefixList([], { created: 0 }));

/**
 * The update from a source, in the form that all protocols share. `rawHashes` are the prefixes of the source as bytes,
 * if known.
 */
export function listUpdateFrom(source: UpdateSource, rawHashes?: Uint8Array): ListUpdate {
  if ("removals" in source) return partialUpdate(source);
  const { prefixBytes, rawHashes: bytes } =
    "words" in source
      ? { prefixBytes: PREFIX_BYTES, rawHashes: rawHashes ?? bytesOf(source.words) }
      : source;
  return {
    full: true,
    removals: new Uint32Array(0),
    additions: bytes.length === 0 ? [] : [{ prefixBytes, rawHashes: bytes }],
    checksum: source.checksum,
  };
}
