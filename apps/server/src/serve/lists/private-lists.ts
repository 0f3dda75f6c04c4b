import type { ApiKeys } from "../api-keys.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList, ServedLists } from "./served-lists.ts";

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
