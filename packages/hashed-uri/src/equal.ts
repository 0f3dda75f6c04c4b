import { formatHashedUri } from "./format.ts";
import { type HashedUri, parseHashedUri } from "./parse.ts";

/**
 * Whether two hashed URIs say the same: one algorithm, one value and the same flags, in whatever case
 * and order.
 *
 * Two that are not equal may still stand for one URI, hashed by different algorithms or with other
 * components retained.
 *
 * @throws {@link HashedUriError} when an argument is no hashed URI; the codes are those of
 * `parseHashedUri`.
 * @throws TypeError when an argument is neither a text nor of the shape.
 *
 * @example
 * ```ts
 * import { equalHashedUris } from "@x/hashed-uri";
 *
 * equalHashedUris("hashed:md5=0A+query+frag", "HASHED:MD5=0a+frag+query"); // → true
 * equalHashedUris("hashed:md5=0a", "hashed:md5=0a+frag"); // → false
 * ```
 * @see draft-feather-hashed-uri-03 §4.1
 */
export function equalHashedUris(a: HashedUri | string, b: HashedUri | string): boolean {
  return canonicalText(a) === canonicalText(b);
}

function canonicalText(hashed: HashedUri | string): string {
  return formatHashedUri(typeof hashed === "string" ? parseHashedUri(hashed) : hashed);
}
