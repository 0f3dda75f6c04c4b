import {
  entryOnLine,
  explainMatch,
  type InputProblem,
  type PublishedUri,
  publishedUri,
  type Refusal,
  refusalOf,
  unusableReason,
} from "@x/explain";
import {
  formatHashedUri,
  type HashUriOptions,
  hashedUriMatcher,
  parseHashedUri,
} from "@x/hashed-uri";
import { type ShownOfMany, showFirst } from "./shown-of-many.ts";

/** The texts of a publisher and a reader, with one URI per line, and how the publisher hashes. */
export interface HashedLines {
  /** The URIs to publish. */
  readonly uris: string;
  /** Hashed URIs from elsewhere. */
  readonly more: string;
  readonly candidates: string;
  readonly options: HashUriOptions;
}

/** A line that is not a URI, or not a hashed URI. */
export interface RefusedLine extends InputProblem {
  /** From 1; blank lines count. */
  readonly line: number;
}

/** An entry of the list that candidates are matched against. */
export interface Entry {
  readonly text: string;
  /** Why it can match nothing; `null` when it can match. */
  readonly unusable: string | null;
}

export interface Candidate {
  readonly line: number;
  readonly text: string;
  /** The index of the entry that it matches, or `null`. */
  readonly index: number | null;
  readonly error: InputProblem | null;
}

/** The contents of the screen. */
export interface HashedMatching {
  readonly entries: ShownOfMany<Entry>;
  /** All entries, one per line. */
  readonly list: string;
  /** Lines to be published that are not URIs. */
  readonly refusedUris: ShownOfMany<RefusedLine>;
  /** Lines from elsewhere that are not hashed URIs. */
  readonly refusedMore: ShownOfMany<RefusedLine>;
  readonly candidates: ShownOfMany<Candidate>;
  /** How many of all candidates match. */
  readonly matches: number;
}

const MOST_ROWS = 500;
const MOST_REFUSED = 20;

/** A line with the result for the entry on it. */
interface LineResult<T> {
  readonly line: number;
  readonly text: string;
  readonly result: T | Refusal;
}

/** Evaluates the entries of a text, without blank lines and comments. */
function eachEntry<T>(
  text: string,
  evaluate: (entry: string) => T | Refusal,
): readonly LineResult<T>[] {
  return text.split(/\r?\n/).flatMap((written, i): LineResult<T>[] => {
    const entry = entryOnLine(written);
    return entry === null ? [] : [{ line: i + 1, text: entry, result: evaluate(entry) }];
  });
}

function isRefusal(result: object): result is Refusal {
  return "error" in result;
}

function acceptedOf<T extends object>(results: readonly LineResult<T>[]): readonly T[] {
  return results.flatMap(({ result }) => (isRefusal(result) ? [] : [result]));
}

function refusedOf(results: readonly LineResult<object>[]): readonly RefusedLine[] {
  return results.flatMap(({ line, result }) =>
    isRefusal(result) ? [{ line, ...result.error }] : [],
  );
}

function readHashedUri(text: string): PublishedUri | Refusal {
  try {
    const parsed = parseHashedUri(text);
    return { hashed: formatHashedUri(parsed), ...parsed };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Publishes URIs, and matches candidates against the published list and hashed URIs from elsewhere. */
export function matchHashed({ uris, more, candidates, options }: HashedLines): HashedMatching {
  const published = eachEntry(uris, (uri) => publishedUri(uri, options));
  const others = eachEntry(more, readHashedUri);
  const hashed = [...acceptedOf(published), ...acceptedOf(others)].map((entry, index) => ({
    ...entry,
    index,
  }));
  const matcher = hashedUriMatcher(hashed, { variant: options.variant });
  const unusable = new Map(matcher.unusable.map((one) => [one.hashed, unusableReason(one)]));
  const entries = hashed.map(
    (entry): Entry => ({ text: entry.hashed, unusable: unusable.get(entry) ?? null }),
  );
  // The matcher returns the records that it was given.
  const match = (uri: string) => matcher(uri) as (typeof hashed)[number] | null;
  const matched = eachEntry(candidates, (uri) => explainMatch(uri, match)).map(
    ({ line, text, result }): Candidate =>
      isRefusal(result)
        ? { line, text, index: null, error: result.error }
        : { line, text, index: result.entry?.index ?? null, error: null },
  );
  return {
    entries: showFirst(entries, MOST_ROWS),
    list: entries.map(({ text }) => `${text}\n`).join(""),
    refusedUris: showFirst(refusedOf(published), MOST_REFUSED),
    refusedMore: showFirst(refusedOf(others), MOST_REFUSED),
    candidates: showFirst(matched, MOST_ROWS),
    matches: matched.filter(({ index }) => index !== null).length,
  };
}
