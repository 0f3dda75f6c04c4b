import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import {
  type HashAlgorithms,
  hexDigest,
  type KnownAlgorithm,
  knownAlgorithms,
  toBytes,
} from "./algorithms.ts";
import { normalizeHashedUri } from "./format.ts";
import { type CanonicalFormOptions, initialUriReader, type Retained } from "./hash-uri.ts";
import { type HashedUri, parseHashedUri } from "./parse.ts";

/** Options for matching. The algorithm and the flags come from the hashed URI. */
export interface MatchOptions extends CanonicalFormOptions {
  /** Hash functions for private use, by their `x-…` identifiers. */
  readonly algorithms?: HashAlgorithms | undefined;
}

/** A hashed URI that no candidate can ever match. */
export interface UnusableHashedUri {
  readonly hashed: HashedUri;
  /**
   * `"algorithm-unknown"`: the algorithm is neither built in nor given as an option. `"value-length"`: no hash
   * of the algorithm has this number of digits.
   */
  readonly reason: "algorithm-unknown" | "value-length";
}

/** Looks up candidates in a list of hashed URIs. */
export interface HashedUriMatcher {
  /**
   * Returns the first hashed URI in the list that the candidate matches, or `null`. An entry that was passed
   * as a record is returned as that same record.
   */
  (uri: string): HashedUri | null;
  /** The hashed URIs of the list that can never match, in the order of the list. */
  readonly unusable: readonly UnusableHashedUri[];
}

/** Maps the values of the hashed URIs with one algorithm to their indices in the list. */
interface HashTable {
  readonly algorithm: KnownAlgorithm;
  readonly indexes: Map<string, number>;
}

/** The tables of the hashed URIs with the same flags. */
interface FlagGroup extends Retained {
  readonly tables: Map<string, HashTable>;
}

/**
 * Returns a function that looks up candidates in a list of hashed URIs.
 *
 * A candidate is hashed at most once for each combination of algorithm and flags in the list, and each hash
 * is looked up. With a fixed number of combinations, H hashed URIs and P candidates take O(H + P) time. The
 * flags say which components of the candidate to retain (§4.3 step 1). A candidate that lacks a component
 * cannot match a hashed URI that has the flag for it: step (5) would not have written that flag.
 *
 * The property `unusable` lists the hashed URIs that can never match.
 *
 * @returns A function that looks up a candidate. If the candidate is not a URI, it throws the errors of
 * `hashUri`: `null` always means that the candidate was looked up.
 * @throws {@link HashedUriError} when an entry of the list is not a hashed URI; the codes are those of
 * `parseHashedUri`.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { hashedUriMatcher } from "@x/hashed-uri";
 *
 * const match = hashedUriMatcher([
 *   "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
 *   "hashed:sha512=00",
 * ]);
 * match("http://WWW.thus.net?from=mail")?.value; // → "87ed28009f511ed7ef630180a229ba257180a481"
 * match("http://www.thus.net/other"); // → null
 * match.unusable.map(({ reason }) => reason); // → ["algorithm-unknown"]
 * ```
 * @see draft-feather-hashed-uri-03 §4.3, §6
 */
export function hashedUriMatcher(
  hashed: Iterable<HashedUri | string>,
  options: MatchOptions = {},
): HashedUriMatcher {
  // A string is iterable too, but its elements are characters.
  if (typeof hashed === "string" || typeof hashed?.[Symbol.iterator] !== "function") {
    throw typeError("hashed", "a list of hashed URIs", hashed);
  }
  const { entries, groups, unusable } = index(
    hashed,
    knownAlgorithms(ownOptions(options).algorithms),
  );
  const readInitialUri = initialUriReader(options);
  const match = (uri: string): HashedUri | null => {
    const initial = readInitialUri(uri);
    let first = entries.length;
    for (const group of groups) {
      if ((group.fragment && !initial.fragment) || (group.query && !initial.query)) continue;
      // `hashUri` never leaves out the only component that tells a URI apart, because all URIs of the scheme would then
      // have one hash.
      if (!group.query && initial.isOnlyQuery) continue;
      const bytes = toBytes(initial.canonicalForm(group));
      for (const { algorithm, indexes } of group.tables.values()) {
        const found = indexes.get(hexDigest(bytes, algorithm.hash));
        if (found !== undefined && found < first) first = found;
      }
    }
    return entries[first] ?? null;
  };
  return Object.assign(match, { unusable });
}

/**
 * Whether a hashed URI was generated from this URI, or from one with the same canonical form.
 *
 * The algorithm and the flags come from the hashed URI. A hashed URI matches nothing if its algorithm is unknown, or if
 * no hash of the algorithm has its number of digits. For more than one hashed URI, use {@link hashedUriMatcher}.
 *
 * @throws {@link HashedUriError} when `hashed` is not a hashed URI, or `uri` is not a URI; the codes are those
 * of `parseHashedUri` and `hashUri`.
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

function index(
  hashed: Iterable<HashedUri | string>,
  known: ReadonlyMap<string, KnownAlgorithm>,
): { entries: HashedUri[]; groups: FlagGroup[]; unusable: UnusableHashedUri[] } {
  const entries: HashedUri[] = [];
  const groups = new Map<string, FlagGroup>();
  const unusable: UnusableHashedUri[] = [];
  for (const given of hashed) {
    const entry = typeof given === "string" ? parseHashedUri(given) : given;
    const normal = typeof given === "string" ? entry : normalizeHashedUri(given);
    const algorithm = known.get(normal.algorithm);
    if (algorithm === undefined) {
      unusable.push({ hashed: entry, reason: "algorithm-unknown" });
    } else if (!canBeHash(normal.value, algorithm)) {
      unusable.push({ hashed: entry, reason: "value-length" });
    } else {
      const { indexes } = tableFor(groups, normal, algorithm);
      // If several hashed URIs are equal, the first one is reported.
      if (!indexes.has(normal.value)) indexes.set(normal.value, entries.push(entry) - 1);
    }
  }
  return { entries, groups: [...groups.values()], unusable };
}

/** Whether the value is as long as the hashes that this algorithm makes. */
function canBeHash(value: string, { bytes }: KnownAlgorithm): boolean {
  return bytes === null ? value.length % 2 === 0 : value.length === 2 * bytes;
}

function tableFor(
  groups: Map<string, FlagGroup>,
  { algorithm: identifier, fragment, query }: HashedUri,
  algorithm: KnownAlgorithm,
): HashTable {
  const flags = `${fragment} ${query}`;
  const group = groups.get(flags) ?? { fragment, query, tables: new Map<string, HashTable>() };
  groups.set(flags, group);
  const table = group.tables.get(identifier) ?? { algorithm, indexes: new Map<string, number>() };
  group.tables.set(identifier, table);
  return table;
}
