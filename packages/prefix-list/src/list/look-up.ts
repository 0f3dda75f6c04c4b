import { type HashPrefix, isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { checkBytes } from "../check-arguments.ts";
import { WORD_BYTES, wordAt } from "../raw-hashes/words.ts";
import { hasPrefixAt, lastOfWord } from "../table/find.ts";
import { checkLayout, type PrefixList } from "./prefix-list.ts";

/**
 * Returns a copy of the longest prefix in the list that the hash begins with, or `null` when there is none.
 *
 * If `hash` has fewer than 32 bytes, prefixes longer than `hash` cannot match.
 *
 * @throws {PrefixListError} `layout-unsupported` when a version of this package with another layout made the list.
 * @throws {TypeError} when `hash` is not a `Uint8Array` (for example, a hash in hexadecimal), or `list` is not a list.
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
  checkLayout(list);
  checkBytes("hash", hash);
  const length = longestMatch(list, hash);
  return length === 0 ? null : new Uint8Array(hash.subarray(0, length));
}

/**
 * Returns the length in bytes of the longest prefix in the list that the bytes at `offset` begin with, or 0 when there
 * is none.
 *
 * The function allocates nothing and does not check the layout of the list, so that you can look up millions of hashes
 * in one buffer in a loop. Call {@link checkLayout} once before the loop. If fewer than 32 bytes follow, only prefixes
 * of at most that many bytes can match.
 *
 * @throws {RangeError} when `offset` is not a whole number from 0 to the length of `bytes`.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`, when `offset` is not a number, or when the list's buffers
 * were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { longestMatch } from "@x/prefix-list/search";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const hash = fullHash("a.example/");
 * const list = prefixList([hash.subarray(0, 4), hash.subarray(0, 9)], { name: "malware" });
 * longestMatch(list, hash); // → 9
 * longestMatch(list, fullHash("b.example/")); // → 0
 * ```
 */
export function longestMatch(list: PrefixList, bytes: Uint8Array, offset: number = 0): number {
  // Anything but a `Uint8Array`, such as a hash in hexadecimal, would match nothing. `instanceof` is tried first
  // because it costs no time, but it is false for a `Uint8Array` of another realm.
  if (!(bytes instanceof Uint8Array || isUint8Array(bytes))) {
    throw typeError("bytes", "a Uint8Array", bytes);
  }
  if (typeof offset !== "number") throw typeError("offset", "a number", offset);
  const available = bytes.length - offset;
  if (!(available >= 0) || offset >>> 0 !== offset) {
    throw new RangeError(`offset must be a whole number from 0 to ${bytes.length}, not ${offset}`);
  }
  if (available < WORD_BYTES) {
    checkBytes("bytes", bytes);
    return 0;
  }
  const word = wordAt(bytes, offset);
  const { tables } = list;
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i]!;
    if (table.prefixBytes <= available && hasPrefixAt(table, word, bytes, offset)) {
      return table.prefixBytes;
    }
  }
  return 0;
}

/**
 * Returns whether any prefix in the list begins with the four bytes that `word` stands for, the most significant byte
 * first. `false` means that the list has no prefix of any hash that begins with these bytes.
 *
 * Use `mayMatch` in loops that already have the first word of each hash. In a list of 4-byte prefixes, `true` is a
 * match. In other lists, call {@link longestMatch} next. A negative number stands for the same 32 bits. The layout of
 * the list is not checked: call {@link checkLayout} once before the loop.
 *
 * @throws {TypeError} when `word` is not a number, or the list's buffers were transferred.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { mayMatch } from "@x/prefix-list/search";
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
