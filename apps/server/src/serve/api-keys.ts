import { sha256Hex } from "../storage/sha256.ts";
import { HttpProblem } from "./http/reply.ts";
import type { ServedList, ServedLists } from "./lists/served-lists.ts";

/** Someone who may read private lists. */
interface Reader {
  /** The SHA-256 of the API key, in hex. */
  readonly hash: string;
  /** The lists that the key opens; none for clients that cannot do without a key. */
  readonly lists: readonly string[];
}

/**
 * The API keys of readers. A list that is named with a key is private: only its keys open it. All other lists are
 * public, except those that were private before and that are not named as public: see {@link keepPrivate}.
 */
export interface ApiKeys {
  /** The private lists. */
  readonly lists: ReadonlySet<string>;
  /** The lists that are public even if they were private before. */
  readonly publicLists: ReadonlySet<string>;
  isPrivate(list: string): boolean;
  /** Whether the file has the key, even if the key opens no list. */
  isKnown(key: string): boolean;
  opens(key: string | null, list: string): boolean;
}

export function hashApiKey(key: string): string {
  return sha256Hex(key);
}

/** The keys of a server without private lists. */
export const NO_API_KEYS: ApiKeys = {
  lists: new Set(),
  publicLists: new Set(),
  isPrivate: () => false,
  isKnown: () => false,
  opens: () => true,
};

/** Returns the keys of readers. Throws if a list is private and public, or if there are readers but no private list. */
export function apiKeys(readers: readonly Reader[], publicLists: ReadonlySet<string>): ApiKeys {
  const listsByHash = new Map<string, ReadonlySet<string>>();
  for (const { hash, lists } of readers)
    listsByHash.set(hash, new Set([...(listsByHash.get(hash) ?? []), ...lists]));
  const privateLists = new Set(readers.flatMap(({ lists }) => lists));
  const both = [...privateLists].find((list) => publicLists.has(list));
  if (both !== undefined)
    throw new Error(`The list ${both} is public, but a reader has a key for it`);
  if (readers.length > 0 && privateLists.size === 0 && publicLists.size === 0)
    throw new Error("No reader has a key for a list, so every list would be public");
  return {
    lists: privateLists,
    publicLists,
    isPrivate: (list) => privateLists.has(list),
    isKnown: (key) => listsByHash.has(hashApiKey(key)),
    opens: (key, list) => {
      if (!privateLists.has(list)) return true;
      return key !== null && (listsByHash.get(hashApiKey(key))?.has(list) ?? false);
    },
  };
}

/**
 * The keys with which lists that were private stay private until the settings say that they are public. Otherwise, a
 * file that was cut off would open them. No key opens a list that no reader has any more.
 */
export function keepPrivate(next: ApiKeys, before: ReadonlySet<string>): ApiKeys {
  const closed = new Set(
    [...before].filter((list) => !next.isPrivate(list) && !next.publicLists.has(list)),
  );
  if (closed.size === 0) return next;
  const lists = new Set([...next.lists, ...closed]);
  return {
    ...next,
    lists,
    isPrivate: (list) => lists.has(list),
    opens: (key, list) => !closed.has(list) && next.opens(key, list),
  };
}

/** The lists and the API keys that open private ones. */
export interface GuardedLists {
  readonly lists: ServedLists;
  readonly keys: ApiKeys;
}

/** Throws when a list is private and the key does not open it. */
export function checkOpen({ keys }: GuardedLists, { name }: ServedList, key: string | null): void {
  if (keys.opens(key, name)) return;
  throw new HttpProblem(403, "One of the lists is private, and the request has no API key for it.");
}

/**
 * The lists that a request asks about. Throws if the key does not open one of them, so that no list is left out
 * silently.
 */
export function listsAskedFor(
  guarded: GuardedLists,
  key: string | null,
  isAskedFor: (list: ServedList) => boolean,
): readonly ServedList[] {
  const lists = guarded.lists.all().filter(isAskedFor);
  for (const list of lists) checkOpen(guarded, list, key);
  return lists;
}

/**
 * Throws when a server with private lists does not know the key of a search that names no lists. If the key was
 * removed, its client still has a private list, and would read the answer as "not listed". The error must not depend on
 * the hashes, or it would tell anybody which of them are on a private list.
 */
export function checkKnown({ keys }: GuardedLists, key: string | null): void {
  // Some clients always send the parameter `key`, even if it is empty.
  if (keys.lists.size === 0 || key === null || key === "" || keys.isKnown(key)) return;
  throw new HttpProblem(403, "The server does not know the API key.");
}

/** Throws if a search asks about no list of this server, because an empty answer would mean "not listed". */
export function checkSome(lists: readonly ServedList[]): void {
  if (lists.length > 0) return;
  throw new HttpProblem(404, "This server has no list of the threat types in the request.");
}

export function publicLists({ lists, keys }: GuardedLists): readonly ServedList[] {
  return lists.all().filter(({ name }) => !keys.isPrivate(name));
}

/** The lists that may be searched: the public ones and those that the key opens. */
export function searchableLists(
  { lists, keys }: GuardedLists,
  key: string | null,
): readonly ServedList[] {
  const all = lists.all();
  return keys.lists.size === 0 ? all : all.filter(({ name }) => keys.opens(key, name));
}
