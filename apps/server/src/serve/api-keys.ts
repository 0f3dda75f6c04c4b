import { createHash } from "node:crypto";
import { isListName } from "@x/list-store";

/**
 * API keys, stored as SHA-256 hashes in hex. Each line of a key file has the hash of a key and the lists that the key
 * opens:
 *
 *   1d0b…e7  malware,intranet   # who has it
 *   7f3c…02  -                  # for clients that cannot do without a key
 *   public   malware            # was private before
 *
 * A list that is named with a key is private: only its keys open it. All other lists are public, except those that were
 * private before and that no line names as public: see {@link keepPrivate}.
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

/** Parses a key file. `file` is its name in error messages. */
export function parseApiKeys(text: string, file: string): ApiKeys {
  const listsByHash = new Map<string, ReadonlySet<string>>();
  const privateLists = new Set<string>();
  const publicLists = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const content = line.replace(/#.*/, "").trim();
    if (content === "") continue;
    const [, hash, names] = /^(public|[0-9a-f]{64})\s+(\S+)$/.exec(content) ?? [];
    const lists = names === "-" ? [] : (names ?? "").split(",");
    if (hash === undefined || !lists.every(isListName)) {
      throw new Error(
        `${file}:${i + 1}: expected the SHA-256 of a key in hex, and the lists it opens`,
      );
    }
    if (hash === "public") {
      for (const list of lists) publicLists.add(list);
      continue;
    }
    listsByHash.set(hash, new Set([...(listsByHash.get(hash) ?? []), ...lists]));
    for (const list of lists) privateLists.add(list);
  }
  const both = [...privateLists].find((list) => publicLists.has(list));
  if (both !== undefined) {
    throw new Error(
      `${file}: one line says that the list ${both} is public, but another has a key for it`,
    );
  }
  if (privateLists.size === 0 && publicLists.size === 0) {
    throw new Error(`The file ${file} has no API key for a list, so every list would be public`);
  }
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
 * The keys with which lists that were private stay private until a line says that they are public. Otherwise, a file that
 * was cut off, or a setting that was lost, would open them. No key opens a list that the file no longer names.
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
