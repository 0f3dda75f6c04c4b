import { hashedUriMatcher, type MatchOptions } from "./matcher.ts";
import type { HashedUri } from "./parse.ts";

/**
 * Whether a hashed URI was generated from this URI, or from one with the same canonical form.
 *
 * The algorithm and the flags are those of the hashed URI. An algorithm that is not known, or as many
 * digits as no hash of it has, match nothing. For more than one hashed URI use `hashedUriMatcher`.
 *
 * @throws {@link HashedUriError} when `hashed` is no hashed URI, or `uri` no URI; the codes are those of
 * `parseHashedUri` and `hashUri`.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { matchesHashedUri } from "@x/hashed-uri";
 *
 * matchesHashedUri("hashed:md5=754a2c63a13aa2e8153d027066e31f8f", "http://10.20.30.040/abc?q"); // → true
 * matchesHashedUri("hashed:md5=754a2c63a13aa2e8153d027066e31f8f", "http://10.20.30.40/"); // → false
 * ```
 * @see draft-feather-hashed-uri-03 §4.3
 */
export function matchesHashedUri(
  hashed: HashedUri | string,
  uri: string,
  options: MatchOptions = {},
): boolean {
  return hashedUriMatcher([hashed], options)(uri) !== null;
}
