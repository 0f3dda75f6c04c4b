import { createHash } from "node:crypto";
import { isListName } from "@x/list-store";

/**
 * API keys, stored as SHA-256 hashes in hex. Each line of a key file has the hash of a key and the lists that the key
 * opens:
 *
 *   1d0b…e7  malware,intranet   # who has it
 *   7f3c…02  -                  # for clients that cannot do without a key
 *
 * A list that is named on any line is private: only its keys open it. All other lists are public.
 */
export interface ApiKeys {
  readonly lists: ReadonlySet<string>;
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
  isPrivate: () => false,
  isKnown: () => false,
  opens: () => true,
};

/** Parses a key file. `file` is its name in error messages. */
export function parseApiKeys(text: string, file: string): ApiKeys {
  const listsByHash = new Map<string, ReadonlySet<string>>();
  const privateLists = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const content = line.replace(/#.*/, "").trim();
    if (content === "") continue;
    const [, hash, names] = /^([0-9a-f]{64})\s+(\S+)$/.exec(content) ?? [];
    const lists = names === "-" ? [] : (names ?? "").split(",");
    if (hash === undefined || !lists.every(isListName)) {
      throw new Error(
        `${file}:${i + 1}: expected the SHA-256 of a key in hex, and the lists it opens`,
      );
    }
    listsByHash.set(hash, new Set([...(listsByHash.get(hash) ?? []), ...lists]));
    for (const list of lists) privateLists.add(list);
  }
  if (privateLists.size === 0) {
    throw new Error(`The file ${file} has no API key for a list, so every list would be public`);
  }
  return {
    lists: privateLists,
    isPrivate: (list) => privateLists.has(list),
    isKnown: (key) => listsByHash.has(hashApiKey(key)),
    opens: (key, list) => {
      if (!privateLists.has(list)) return true;
      return key !== null && (listsByHash.get(hashApiKey(key))?.has(list) ?? false);
    },
  };
}
