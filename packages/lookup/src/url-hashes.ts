import type { CanonicalUrl } from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import { readUrl, type UrlProblem } from "@x/canon/readings";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";
import { type FullHash, fullHash, type HashPrefix, hashPrefix } from "@x/sha256-prefix";
import type { Reading } from "./verdict.ts";

/** One expression of a URL with its hashes. */
export interface UrlHash {
  readonly expression: Expression;
  readonly hash: FullHash;
  readonly prefix: HashPrefix;
}

/** The options of {@link urlHashes}. */
export interface UrlHashOptions extends ExpressionOptions {
  /** The length of each prefix in bytes, 4 to 32. The default is 4. */
  readonly prefixBytes?: number | undefined;
}

/**
 * The expressions of a URL, in the specification's order, each with its full hash and its hash prefix. The function
 * takes the four steps of "Hashing URLs" in one call.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or bytes and is not a URL with a host, or when its host cannot
 * be decided (`host-undecided`).
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

/** One expression of a URL with its hashes, and the readings that have it. */
export interface ReadingHash extends UrlHash {
  /** The readings of the URL that have the expression. */
  readonly reading: Reading;
}

/** The expressions of all readings of a URL. */
export interface ReadingHashes {
  /** The expressions of the specification's reading come first, then those that only the browsers' reading has. */
  readonly hashes: readonly ReadingHash[];
  /**
   * Why the hashes are not enough for a verdict: the input is not a URL, its host cannot be decided (`host-undecided`),
   * no site can have its host (`host-invalid`), or it is not clearly one URL (`url-unclear`). If one of the hashes is
   * listed, the URL is listed despite the problem. If none is, the URL must not count as "not listed". `null` when
   * there is no problem.
   */
  readonly problem: UrlProblem | null;
}

/**
 * The expressions of a URL as the specification and as browsers read it, each with its full hash and its hash prefix.
 * Use the hashes to ask a server when you have no list. Input that is not a URL does not throw, but has a `problem`.
 *
 * @throws RangeError when `prefixBytes` is not a whole number from 4 to 32.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
 * @example
 * ```ts
 * import { readingHashes } from "@x/lookup";
 *
 * const { hashes } = readingHashes("http://evil.example\\@good.example/");
 * hashes.map(({ expression, reading }) => [expression, reading]).slice(0, 1); // → [["good.example/", "specification"]]
 * hashes.some(({ expression, reading }) => expression === "evil.example/" && reading === "browser"); // → true
 * readingHashes("mailto:x").problem?.code; // → "authority-missing"
 * ```
 */
export function readingHashes(
  url: string | Uint8Array,
  options: UrlHashOptions = {},
): ReadingHashes {
  const { specification, browser, firefox, problem } = readUrl(url);
  const found = new Map<Expression, ReadingHash>();
  const add = (parsed: CanonicalUrl | null, reading: Reading) => {
    if (parsed === null) return;
    for (const hash of urlHashes(parsed, options)) {
      const other = found.get(hash.expression)?.reading ?? reading;
      found.set(hash.expression, { ...hash, reading: other === reading ? reading : "both" });
    }
  };
  if (specification === browser) {
    add(specification, "both");
  } else {
    add(specification, "specification");
    add(browser, "browser");
  }
  add(firefox, "browser");
  return { hashes: [...found.values()], problem };
}
