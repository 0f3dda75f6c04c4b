import type { CanonicalUrl } from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";
import { type FullHash, fullHash, type HashPrefix, hashPrefix } from "@x/sha256-prefix";

/** One expression of a URL with its hashes. */
export interface UrlHash {
  readonly expression: Expression;
  readonly hash: FullHash;
  readonly prefix: HashPrefix;
}

/** The options of {@link urlHashes}. */
export interface UrlHashOptions extends ExpressionOptions {
  /** The length of each prefix in bytes, 4 to 32; the default is 4. */
  readonly prefixBytes?: number | undefined;
}

/**
 * The expressions of a URL, in the specification's order, each with its full hash and its hash prefix. These
 * are the four steps of "Hashing URLs" in one call.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or bytes that are not a URL with a host, or have a host that cannot be
 * decided (`host-undecided`).
 * @throws RangeError when `prefixBytes` is not a whole number from 4 to 32.
 * @example
 * ```ts
 * import { urlHashes } from "@x/lookup";
 * import { toHex } from "@x/sha256-prefix";
 *
 * const hashes = urlHashes("https://example.com/path?q");
 * hashes.map(({ expression }) => expression); // → ["example.com/path?q", "example.com/path", "example.com/"]
 * hashes.map(({ prefix }) => toHex(prefix)).at(-1); // → "73d986e0"
 * ```
 * @see Web Risk, "Hashing URLs"
 */
export function urlHashes(
  url: string | Uint8Array | CanonicalUrl,
  options: UrlHashOptions = {},
): UrlHash[] {
  const { prefixBytes } = ownOptions(options);
  return expressions(url, options).map((expression) => {
    const hash = fullHash(expression);
    return { expression, hash, prefix: hashPrefix(hash, prefixBytes) };
  });
}
