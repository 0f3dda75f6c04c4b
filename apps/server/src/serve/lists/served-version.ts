import type { Contents, Manifest } from "@x/list-store";
import type { DifferenceSince, OpenList, PrefixWords } from "@x/list-store/serving";
import type { PrefixList } from "@x/prefix-list";

/** The full hashes of a list that begin with a prefix. */
export interface FoundHashes {
  readonly hashes: readonly Uint8Array[];
  /** Full hashes that count only in frames. These hashes are not in `hashes`. */
  readonly forFrames: readonly Uint8Array[];
  /** When this result expires, in milliseconds since 1970; `Infinity` if only the server's own settings limit it. */
  readonly expires: number;
}

/** The facts about a version of any list. If the list is in the store, the version's manifest contains them. */
interface VersionFacts
  extends Pick<Manifest, "list" | "version" | "issued" | "expires" | "withdrawn" | "retired"> {
  readonly contents: Pick<Contents, "since" | "checksum" | "prefixes" | "fullHashes">;
  readonly change: Pick<NonNullable<Manifest["change"]>, "addedEntries" | "removedEntries"> | null;
}

/** A version of another server's list. The other server sends only the prefixes. */
export interface UpstreamVersion {
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
  readonly entry: { readonly manifest: VersionFacts };
  /** Only versions in the store have hash layers. */
  readonly hashLayers?: undefined;
  /** When this server got these contents, in milliseconds since 1970. */
  readonly since: number;
  readonly differenceSince: DifferenceSince;
  /** Asks the other server about several prefixes at once, so that `find` already has the answers. */
  ask(prefixes: readonly Uint8Array[], network: () => string): void | Promise<void>;
  find(prefix: Uint8Array, network: () => string): FoundHashes | Promise<FoundHashes>;
}

/** A version of a list that is served, from the store or from another server. */
export type ServedVersion = OpenList | UpstreamVersion;
