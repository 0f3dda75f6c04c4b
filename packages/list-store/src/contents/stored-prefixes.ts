import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { checkObject, getUncheckedObject, type Sha256 } from "../objects.ts";
import type { Storage } from "../storage.ts";
import type { StoredPrefixes } from "./layers.ts";
import { NO_WORDS, type PrefixWords, wordsOf } from "./prefix-words.ts";

/** The bytes that the storage has for an object, not checked yet. */
export interface StoredObject {
  readonly object: string;
  readonly bytes: Uint8Array;
}

/**
 * The maximum length, in bytes, of an object with this many prefixes. Rice codes take fewer than eight bytes per
 * prefix, and a name is short.
 */
function mostBytes(count: number): number {
  return 2 ** 16 + 8 * count;
}

/** The bytes of an object of prefixes. The thread that needs the prefixes checks and decodes these bytes. */
export async function getPrefixes(
  storage: Storage,
  { object, count }: StoredPrefixes,
): Promise<StoredObject> {
  return { object, bytes: await getUncheckedObject(storage, object, mostBytes(count)) };
}

/** The prefixes in an object, checked against its hash. `sha256` replaces the JavaScript implementation of SHA-256. */
export function prefixesIn({ bytes, object }: StoredObject, sha256: Sha256 = fullHash): PrefixList {
  return decodePrefixList(checkObject(bytes, object, sha256), { sha256 });
}

/** The prefixes in an object as words, checked against its hash; no words for `null`. Words are returned unchanged. */
export function wordsIn(stored: StoredObject | PrefixWords | null, sha256?: Sha256): PrefixWords {
  if (stored === null) return NO_WORDS;
  return "object" in stored ? wordsOf(prefixesIn(stored, sha256)) : stored;
}
