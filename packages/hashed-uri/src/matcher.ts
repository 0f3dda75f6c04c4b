import { type HashAlgorithms, type KnownAlgorithm, knownAlgorithms } from "./algorithms.ts";
import { hexDigest, toOctets } from "./digest.ts";
import { normalizeHashedUri } from "./format.ts";
import { type CanonicalFormOptions, initialUriReader, type Retained } from "./initial-uri.ts";
import { type HashedUri, parseHashedUri } from "./parse.ts";
import { typeError } from "./type-error.ts";

/** How candidates are compared with hashed URIs; algorithm and flags are those of the hashed URI. */
export interface MatchOptions extends CanonicalFormOptions {
  /** Hash functions for private use, by their `x-…` identifiers. */
  readonly algorithms?: HashAlgorithms | undefined;
}

/** A hashed URI that no candidate can ever match. */
export interface UnusableHashedUri {
  readonly hashed: HashedUri;
  /**
   * `"algorithm-unknown"`: neither built in nor given as an option; `"value-length"`: no hash of this
   * algorithm has so many digits.
   */
  readonly reason: "algorithm-unknown" | "value-length";
}

/** Looks candidates up in a list of hashed URIs. */
export interface HashedUriMatcher {
  /**
   * The first hashed URI of the list that the candidate matches, or `null`.
   *
   * What the list held as a record is that very record.
   */
  (uri: string): HashedUri | null;
  /** The hashed URIs of the list that can never match, in the list's order. */
  readonly unusable: readonly UnusableHashedUri[];
}

/** The hashed URIs of one algorithm, as indexes into the list by value. */
interface HashTable {
  readonly algorithm: KnownAlgorithm;
  readonly indexes: Map<string, number>;
}

/** The tables for candidates of which the same components are retained. */
interface FlagGroup extends Retained {
  readonly tables: Map<string, HashTable>;
}

/**
 * A function that looks candidates up in a list of hashed URIs.
 *
 * A candidate is hashed once for each combination of algorithm and flags that occurs in the list, and
 * looked up, so H hashed URIs and P candidates take a time of O(H + P). Of each hashed URI the flags tell
 * which components of the candidate to retain (§4.3 step 1); a candidate that lacks a component cannot
 * match a hash whose flag says that it was retained, for step (5) would not have written that flag.
 *
 * Hashed URIs with an algorithm that is not known, or with as many digits as no hash of it has, are in
 * the list's right but match nothing: they are reported in the function's property `unusable`.
 *
 * @returns A function that throws as `hashUri` does for a candidate that is no URI: `null` means that
 * the candidate was looked up.
 * @throws {@link HashedUriError} when an entry of the list is no hashed URI; the codes are those of
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
  // A text iterates too, over characters.
  if (typeof hashed === "string" || typeof hashed?.[Symbol.iterator] !== "function") {
    throw typeError("hashed", "a list of hashed URIs", hashed);
  }
  const { entries, groups, unusable } = index(hashed, knownAlgorithms(options.algorithms));
  const readInitialUri = initialUriReader(options);
  const match = (uri: string): HashedUri | null => {
    const initial = readInitialUri(uri);
    let first = entries.length;
    for (const group of groups) {
      if ((group.fragment && !initial.fragment) || (group.query && !initial.query)) continue;
      const octets = toOctets(initial.canonicalForm(group));
      for (const { algorithm, indexes } of group.tables.values()) {
        const found = indexes.get(hexDigest(octets, algorithm.hash));
        if (found !== undefined && found < first) first = found;
      }
    }
    return entries[first] ?? null;
  };
  return Object.assign(match, { unusable });
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
      // The first of equal hashed URIs is the one to report.
      if (!indexes.has(normal.value)) indexes.set(normal.value, entries.push(entry) - 1);
    }
  }
  return { entries, groups: [...groups.values()], unusable };
}

/** Whether some text may hash to this value. */
function canBeHash(value: string, { octets }: KnownAlgorithm): boolean {
  return octets === null ? value.length % 2 === 0 : value.length === 2 * octets;
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
