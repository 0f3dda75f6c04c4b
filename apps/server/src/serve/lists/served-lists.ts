import { type Contents, type Manifest, StoreError } from "@x/list-store";
import type { DifferenceSince, OpenList, PrefixWords } from "@x/list-store/serving";
import type { PrefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { ThreatList } from "@x/wire";
import { HttpProblem } from "../http/reply.ts";
import type { LongerContents } from "../list-update.ts";

/** The problem of a list that is not served, or not completely. */
export interface Problem {
  /** The problem in words; `null` if there is none. Clients may see these words. */
  readonly problem: string | null;
  /** More about the problem, only for the log: a system message, a path or the name of another list. */
  readonly detail: string | null;
}

/** A list's longer prefixes in one version, all of one length. */
export interface LongerVersion {
  readonly contents: LongerContents;
  /** The first version of the list with the same four-byte prefixes. */
  readonly since: number;
  /** The hash that identifies the full hashes of the version. */
  readonly entries: string;
  readonly differenceSince: DifferenceSince;
}

/**
 * The longer prefixes of a list, all of one length. These prefixes always belong to the version of the list that is
 * served.
 */
export interface LongerList extends Problem {
  /** The name in v5, such as `mw-8b`. */
  readonly name: string;
  readonly prefixBytes: number;
  /** `null` if these prefixes cannot be served, or the list has no version that may be served. */
  readonly loaded: LongerVersion | null;
}

/** A list in its current state, from which the functions below derive its next state. */
export interface ServedList<Version extends ServedVersion = ServedVersion> extends Problem {
  readonly name: string;
  readonly row: ThreatList;
  /** The newest verified version; `null` when there is none that may be served. */
  readonly loaded: Version | null;
  /** The lists with its longer prefixes, if the server has any. */
  readonly longer?: readonly LongerList[] | undefined;
  /** When the list was first seen with its problem, in milliseconds since 1970; not set without a problem. */
  readonly since?: number | undefined;
  /** The prefixes of the last served version, if it may no longer be served. */
  readonly outdated?: PrefixWords | undefined;
}

/** Lists that are kept current. */
export interface ServedLists {
  /** All lists. The array is the same object until a list changes. */
  all(): readonly ServedList[];
  /**
   * Looks for new versions. Returns whether anything has changed. A version that takes a long time to read is served
   * after a later call.
   */
  refresh(): Promise<boolean>;
  /**
   * Stops serving versions that have expired, even while the store does not answer. Returns whether any version had
   * expired.
   */
  expire(): boolean;
}

export const NO_PROBLEM: Problem = { problem: null, detail: null };

/** The problem that an error causes. System messages name files on this machine, so only the log gets them. */
export function problemOf(error: unknown): Problem {
  if (!hasName<StoreError>(error, "StoreError")) {
    const detail = error instanceof Error ? error.message : String(error);
    return { problem: "The store cannot be read", detail };
  }
  return { problem: error.message, detail: error.list && `the other list is ${error.list}` };
}

function hasProblem(list: Problem, { problem, detail }: Problem): boolean {
  return list.problem === problem && list.detail === detail;
}

/** A list that nothing is known about yet. */
export function newList(
  name: string,
  row: ThreatList,
  longer?: readonly LongerList[],
): ServedList<never> {
  return { name, row, longer, loaded: null, ...NO_PROBLEM };
}

export function hasExpired({ loaded }: ServedList, now: number): boolean {
  return loaded !== null && loaded.entry.manifest.expires <= now;
}

/*
 * Each of the following functions returns the same object if nothing changes.
 */

/** The list with a version to serve, and the problem of this version, if any. */
export function withVersion<Version extends ServedVersion>(
  list: ServedList<Version>,
  loaded: Version,
  found: Problem,
  longer: readonly LongerList[] | undefined = list.longer,
): ServedList<Version> {
  const isSame = loaded === list.loaded && longer === list.longer && hasProblem(list, found);
  if (isSame) return list;
  const { name, row } = list;
  const { problem, detail } = found;
  return { name, row, loaded, longer, problem, detail };
}

/** The list without a version to serve. `outdated` are the prefixes of the last version. */
export function withoutVersion<Version extends ServedVersion>(
  list: ServedList<Version>,
  outdated: PrefixWords | undefined,
  found: Problem,
): ServedList<Version> {
  const isSame = list.loaded === null && list.outdated === outdated && hasProblem(list, found);
  if (isSame) return list;
  const { problem, detail } = found;
  const longer = list.longer?.map((each) => ({ ...each, loaded: null }));
  return { ...list, loaded: null, longer, outdated, problem, detail };
}

/** The list with a problem. Its verified version is still served until the version expires. */
export function withProblem<Version extends ServedVersion>(
  list: ServedList<Version>,
  found: Problem,
  now: number,
): ServedList<Version> {
  if (hasExpired(list, now)) return withoutVersion(list, list.loaded!.words, found);
  if (hasProblem(list, found)) return list;
  const { problem, detail } = found;
  return { ...list, problem, detail };
}

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
  extends Pick<
    Manifest,
    "list" | "version" | "issued" | "expires" | "withdrawn" | "retired" | "onlyHosts" | "about"
  > {
  readonly contents: Pick<Contents, "since" | "checksum" | "prefixes" | "fullHashes">;
  readonly change: Pick<NonNullable<Manifest["change"]>, "addedEntries" | "removedEntries"> | null;
}

/** A version of another server's list. The other server sends only the prefixes. */
export interface UpstreamVersion {
  readonly words: PrefixWords;
  readonly prefixes: PrefixList;
  readonly entry: { readonly manifest: VersionFacts };
  /** Only versions in the store have blocks of full hashes. */
  readonly hashBlocks?: undefined;
  /** When this server got these contents, in milliseconds since 1970. */
  readonly since: number;
  readonly differenceSince: DifferenceSince;
  /** Asks the other server about several prefixes at once, so that `find` already has the answers. */
  ask(prefixes: readonly Uint8Array[], network: () => string): void | Promise<void>;
  find(prefix: Uint8Array, network: () => string): FoundHashes | Promise<FoundHashes>;
}

/** A version of a list that is served, from the store or from another server. */
export type ServedVersion = OpenList | UpstreamVersion;

/** The longest time that a client is asked to wait, in seconds. */
const LONGEST_WAIT = 60;

/**
 * The header that tells clients when to ask again: after half of the time that the fault has lasted, and at most after
 * a minute. So clients miss little of a server that is soon back, and rarely ask one that is not. `since` is when the
 * fault began, in milliseconds since 1970; without it, the fault has just begun.
 */
export function retryAfter(since: number = Infinity): { readonly "Retry-After": string } {
  const seconds = Math.ceil((Date.now() - since) / 2000);
  return { "Retry-After": String(Math.max(1, Math.min(seconds, LONGEST_WAIT))) };
}

export const NO_LISTS = "The store has no lists yet.";

/** The error for a list that cannot be searched or served now. */
export function unavailable({
  name,
  problem,
  since,
}: Pick<ServedList, "name" | "problem" | "since">): HttpProblem {
  const message = `The list ${name} is not available: ${problem}`;
  return new HttpProblem(503, message, retryAfter(since));
}

/** The error when the store has no lists. An empty answer would make clients drop the lists that they have. */
export function noLists(): HttpProblem {
  return new HttpProblem(503, NO_LISTS, retryAfter(performance.timeOrigin));
}

/** The version of a list that may be served. Throws if there is none: the list must never look empty. */
export function loadedOf(served: ServedList): ServedVersion {
  if (served.loaded === null) throw unavailable(served);
  return served.loaded;
}

/**
 * The name that v5 clients use for a list or, if there is none, its own name. Clients would confuse two lists with the
 * same name.
 */
const calledBy = ({ name, row }: ServedList) => row.v5 ?? name;

/** If two lists have the same name, neither is served, because clients may mean either of them. */
function withoutTwins(lists: readonly ServedList[]): readonly ServedList[] {
  const byCall = new Map<string, ServedList>();
  for (const list of lists) {
    const twin = byCall.get(calledBy(list));
    byCall.set(
      calledBy(list),
      twin === undefined
        ? list
        : {
            ...twin,
            loaded: null,
            outdated: undefined,
            since: 0,
            problem: `There are two lists called ${calledBy(list)}: one of them needs another name`,
            detail: null,
          },
    );
  }
  return [...byCall.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Throws if the store and another server have lists of the same name, because clients would get neither of them.
 *
 * @throws {StoreError} `invalid`
 */
export function checkTwins(
  own: ServedLists,
  upstreams: readonly (ServedLists & { readonly name: string })[],
): void {
  const names = new Map(own.all().map((list) => [calledBy(list), list.name]));
  for (const { name, all } of upstreams) {
    for (const list of all()) {
      const twin = names.get(calledBy(list));
      if (twin === undefined) continue;
      throw new StoreError(
        "invalid",
        `The store has the list ${twin}, and the other server ${name} has one that would be served as ${list.name}. Clients could not tell them apart: give one of them another name, for example with names in the settings of that server`,
      );
    }
  }
}

/** Joins the lists of the store with those of other servers. */
export function joinLists(own: ServedLists, others: readonly ServedLists[]): ServedLists {
  if (others.length === 0) return own;
  const places = [own, ...others];
  let parts: readonly (readonly ServedList[])[] = [];
  let joined: readonly ServedList[] = [];

  function all(): readonly ServedList[] {
    const now = places.map((place) => place.all());
    if (!now.every((lists, i) => lists === parts[i])) {
      parts = now;
      joined = withoutTwins(now.flat());
    }
    return joined;
  }

  return {
    all,
    async refresh() {
      const before = all();
      const done = await Promise.allSettled(places.map((place) => place.refresh()));
      const isChanged = all() !== before;
      const failed = done.find((each) => each.status === "rejected");
      // A store or server that failed is tried again soon, but changes in the others must be noticed now.
      if (failed !== undefined && !isChanged) throw failed.reason;
      return isChanged;
    },
    expire: () => places.map((place) => place.expire()).includes(true),
  };
}
