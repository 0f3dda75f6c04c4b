import type { PrefixList } from "@x/prefix-list";
import type { MakeSnapshot } from "./contents.ts";
import type { LogEntry } from "./manifest.ts";
import type { StoredList } from "./read-log.ts";
import type { PrefixWords } from "./words.ts";

/** A version of a list that a reader keeps, for example in files. */
export interface KeptVersion {
  readonly entry: LogEntry;
  readonly prefixes: PrefixList;
}

/** A verified version of a list, in memory. */
export interface LoadedList extends KeptVersion {
  /** The first four bytes of the prefixes. */
  readonly words: PrefixWords;
  /** The verified entries that have been read, by version: this version and older ones. */
  readonly log: ReadonlyMap<number, LogEntry>;
}

/** The list to load and options for loading it. */
export interface LoadOptions extends StoredList {
  /**
   * The length of the prefixes in bytes: 4 (the default) or 8, or 32 for full hashes. Longer prefixes need longer
   * downloads, and match by chance less often.
   */
  readonly prefixBytes?: number | undefined;
  /**
   * Makes the prefixes of a version from stored objects, for example in another thread. This function is not used for
   * longer prefixes.
   */
  readonly makeSnapshot?: MakeSnapshot | undefined;
  /** Whether to load expired versions, too. A storage can then hold back newer versions unnoticed. */
  readonly allowsExpired?: boolean | undefined;
}
