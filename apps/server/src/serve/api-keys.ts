import { createHash } from "node:crypto";

/** Someone who may read private lists. */
export interface Reader {
  /** The SHA-256 of the API key, in hex. */
  readonly hash: string;
  /** The lists that the key opens; none for clients that cannot do without a key. */
  readonly lists: readonly string[];
}

/**
 * The API keys of readers. A list that is named with a key is private: only its keys open it. All other lists are public,
 * except those that were private before and that are not named as public: see {@link keepPrivate}.
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
  return createHash("sha256").update(key).digest("hex");
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
