import type { Change, Contents, Manifest } from "@x/list-store";
import type { PrefixWords, SearchableList } from "@x/list-store/serving";
import type { PrefixList } from "@x/prefix-list";
import type { MaybePromise } from "../maybe-promise.ts";

/** The full hashes of a list that begin with a prefix. */
export interface FoundHashes {
  readonly hashes: readonly Uint8Array[];
  /** Full hashes that only count in frames; they are not among the others. */
  readonly forFrames: readonly Uint8Array[];
  /** Until when this holds, in milliseconds since 1970; `Infinity` when only the server's own settings limit it. */
  readonly expires: number;
}

/** What is known about a version of any list. That of a list of the store is its manifest. */
interface VersionFacts
  extends Pick<Manifest, "list" | "version" | "issued" | "expires" | "withdrawn"> {
  readonly contents: Pick<Contents, "since" | "checksum" | "prefixes" | "fullHashes">;
  readonly change: Pick<Change, "addedEntries" | "removedEntries"> | null;
}

/** A version of a list that is kept from another server, which gives only the prefixes. */
export interface UpstreamVersion {
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
  readonly entry: { readonly manifest: VersionFacts };
  /** Only versions of the store have them. */
  readonly hashLayers?: undefined;
  /** When the server got these contents, in milliseconds since 1970. */
  readonly since: number;
  /** Asks the other server about several prefixes at once, so that `find` knows what it says. */
  ask(prefixes: readonly Uint8Array[], network: () => string): MaybePromise<void>;
  find(prefix: Uint8Array, network: () => string): MaybePromise<FoundHashes>;
}

/** A version of a list that answers are made from: of the store, or of another server. */
export type ServedVersion = SearchableList | UpstreamVersion;
