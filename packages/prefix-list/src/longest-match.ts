import { isUint8Array } from "@x/sha256-prefix";
import type { PrefixList } from "./prefix-list.ts";
import { hasPrefixAt, lastOfWord } from "./search.ts";
import { typeError } from "./type-error.ts";
import { WORD_BYTES, wordAt } from "./word.ts";

/**
 * The length in octets of the longest prefix in the list that the octets at `offset` begin with; 0 when
 * there is none.
 *
 * It allocates nothing, so that millions of hashes in one buffer can be checked in a loop. Where fewer than
 * 32 octets are left, only the prefixes that fit into them can match.
 *
 * @throws {RangeError} when `offset` is not a whole number from 0 to the length of `octets`.
 * @throws {TypeError} when `octets` is not a `Uint8Array` or `offset` not a number.
 * @example
 * ```ts
 * import { longestMatch, prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const hash = fullHash("a.example/");
 * const list = prefixList([hash.subarray(0, 4), hash.subarray(0, 9)], { name: "malware" });
 * longestMatch(list, hash); // → 9
 * longestMatch(list, fullHash("b.example/")); // → 0
 * ```
 */
export function longestMatch(list: PrefixList, octets: Uint8Array, offset: number = 0): number {
  // Anything else, such as a hash in hexadecimal, would find nothing. The first question costs no time, and
  // is answered by all octets but those of another realm.
  if (!(octets instanceof Uint8Array || isUint8Array(octets))) {
    throw typeError("octets", "a Uint8Array", octets);
  }
  if (typeof offset !== "number") throw typeError("offset", "a number", offset);
  const available = octets.length - offset;
  if (!(available >= 0) || offset >>> 0 !== offset) {
    throw new RangeError(`offset must be a whole number from 0 to ${octets.length}, not ${offset}`);
  }
  if (available < WORD_BYTES) return 0;
  const word = wordAt(octets, offset);
  const { tables } = list;
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i]!;
    if (table.prefixBytes <= available && hasPrefixAt(table, word, octets, offset)) {
      return table.prefixBytes;
    }
  }
  return 0;
}

/**
 * Whether any prefix in the list begins with the four octets that `word` stands for, the first of them the
 * most significant; `false` means that no hash which begins with them is in the list.
 *
 * For loops that have the first word of a hash at hand already. In a list of prefixes of four octets only,
 * `true` is a match; otherwise {@link longestMatch} tells. A negative number stands for the same 32 bits.
 *
 * @throws {TypeError} when `word` is not a number.
 * @example
 * ```ts
 * import { mayMatch, prefixList } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware" });
 * mayMatch(list, 0xba7816bf); // → true
 * mayMatch(list, 0xba7816be); // → false
 * ```
 */
export function mayMatch(list: PrefixList, word: number): boolean {
  if (typeof word !== "number") throw typeError("word", "a number", word);
  const { tables } = list;
  for (let i = 0; i < tables.length; i++) {
    if (lastOfWord(tables[i]!, word >>> 0) >= 0) return true;
  }
  return false;
}
