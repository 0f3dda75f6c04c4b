import type { HashPrefix } from "@x/sha256-prefix";
import { longestMatch } from "./longest-match.ts";
import type { PrefixList } from "./prefix-list.ts";

/** The longest prefix in the list that the hash begins with, in memory of its own; `null` when there is none. */
export function lookupPrefix(list: PrefixList, hash: Uint8Array): HashPrefix | null {
  const length = longestMatch(list, hash);
  return length === 0 ? null : new Uint8Array(hash.subarray(0, length));
}
