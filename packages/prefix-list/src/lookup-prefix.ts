import { type HashPrefix, isUint8Array } from "@x/sha256-prefix";
import { longestMatch } from "./longest-match.ts";
import type { PrefixList } from "./prefix-list.ts";
import { typeError } from "./type-error.ts";

/**
 * The longest prefix in the list that the hash begins with, in memory of its own; `null` when there is none.
 *
 * Of octets fewer than 32 only the prefixes that fit into them can match. {@link longestMatch} tells the same
 * without allocating.
 *
 * @throws {TypeError} when `hash` is not a `Uint8Array`, such as a hash in hexadecimal.
 * @example
 * ```ts
 * import { lookupPrefix, prefixList } from "@x/prefix-list";
 * import { fullHash, toHex } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("b.example/")], { prefixBytes: 4 });
 * const found = lookupPrefix(list, fullHash("b.example/"));
 * found && toHex(found); // → "f8a16db6"
 * lookupPrefix(list, fullHash("c.example/")); // → null
 * ```
 * @see Web Risk, Hashing URLs, Hash prefix computations
 */
export function lookupPrefix(list: PrefixList, hash: Uint8Array): HashPrefix | null {
  if (!isUint8Array(hash)) throw typeError("hash", "a Uint8Array", hash);
  const length = longestMatch(list, hash);
  return length === 0 ? null : new Uint8Array(hash.subarray(0, length));
}
