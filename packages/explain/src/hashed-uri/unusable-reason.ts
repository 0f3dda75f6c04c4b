import type { UnusableHashedUri } from "@x/hashed-uri";
import { printableInShort } from "../printable/printable.ts";

/**
 * Why a hashed URI can never match, in words.
 *
 * @example
 * ```ts
 * import { unusableReason } from "@x/explain";
 * import { hashedUriMatcher } from "@x/hashed-uri";
 *
 * const { unusable } = hashedUriMatcher(["hashed:sha512=00", "hashed:sha1=00ff"]);
 * unusable.map(unusableReason); // → ['the algorithm "sha512" is not known', "no sha1 hash has 4 digits"]
 * ```
 */
export function unusableReason({ hashed, reason }: UnusableHashedUri): string {
  const { algorithm, value } = hashed;
  const name = printableInShort(algorithm);
  if (reason === "algorithm-unknown") return `the algorithm "${name}" is not known`;
  return `no ${name} hash has ${value.length} ${value.length === 1 ? "digit" : "digits"}`;
}
