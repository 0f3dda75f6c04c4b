import {
  formatHashedUri,
  type HashedUriError,
  type HashUriOptions,
  hashedUriMatcher,
  hashUri,
  parseHashedUri,
} from "@x/hashed-uri";
import { type Cut, cut } from "./cut.ts";

/** A publisher's and a reader's texts, one URI a line, and how the publisher hashes. */
export interface HashedLines {
  /** URIs to publish. */
  readonly uris: string;
  /** Hashed URIs from elsewhere. */
  readonly more: string;
  readonly candidates: string;
  readonly options: HashUriOptions;
}

/** Why a line is not what it should be. */
export interface RefusedLine {
  /** From 1; blank lines count too. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** An entry of the list that candidates are matched against. */
export interface Entry {
  readonly text: string;
  /** Why no candidate can match it; `null` when one can. */
  readonly unusable: string | null;
}

export interface Candidate {
  readonly line: number;
  readonly text: string;
  /** The index of the entry that it matches, or `null`. */
  readonly index: number | null;
  readonly error: RefusedLine | null;
}

/** What the screen shows. */
export interface HashedMatching {
  readonly entries: Cut<Entry>;
  /** All entries, one a line. */
  readonly list: string;
  /** Lines that are to be published and are no URIs. */
  readonly refusedUris: Cut<RefusedLine>;
  /** Lines from elsewhere that are no hashed URIs. */
  readonly refusedMore: Cut<RefusedLine>;
  readonly candidates: Cut<Candidate>;
  /** How many of all candidates match. */
  readonly matches: number;
}

const MOST_ROWS = 500;
const MOST_REFUSED = 20;

/** A line of text and what became of it. */
type Outcome<T> = { readonly line: number; readonly text: string } & (
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: RefusedLine }
);

function eachLine<T>(text: string, evaluate: (line: string) => T): Outcome<T>[] {
  return text.split(/\r?\n/).flatMap((written, i): Outcome<T>[] => {
    if (written.trim() === "") return [];
    const place = { line: i + 1, text: written };
    try {
      return [{ ...place, value: evaluate(written), error: null }];
    } catch (error) {
      if ((error as Error).name !== "HashedUriError") throw error;
      const { code, message } = error as HashedUriError;
      return [{ ...place, value: null, error: { line: i + 1, code, message } }];
    }
  });
}

const valuesOf = <T>(outcomes: readonly Outcome<T>[]): T[] =>
  outcomes.flatMap(({ value }) => (value === null ? [] : [value]));

const refusedOf = (outcomes: readonly Outcome<unknown>[]): RefusedLine[] =>
  outcomes.flatMap(({ error }) => (error === null ? [] : [error]));

const REASONS = {
  "algorithm-unknown": "its algorithm is not known here",
  "value-length": "no hash of its algorithm has so many digits",
} as const;

/** Publishes URIs, and matches candidates against what was published and hashed URIs from elsewhere. */
export function matchHashed({ uris, more, candidates, options }: HashedLines): HashedMatching {
  const published = eachLine(uris, (line) => hashUri(line, options));
  const others = eachLine(more, (line) => parseHashedUri(line.trim()));
  const hashed = [...valuesOf(published).map(parseHashedUri), ...valuesOf(others)];
  const matcher = hashedUriMatcher(hashed, { variant: options.variant });
  const unusable = new Map(matcher.unusable.map((one) => [one.hashed, REASONS[one.reason]]));
  const places = new Map(hashed.map((one, i) => [one, i]));
  const entries = hashed.map((one) => ({
    text: formatHashedUri(one),
    unusable: unusable.get(one) ?? null,
  }));
  const matched = eachLine(candidates, (line) => {
    const found = matcher(line);
    return { index: found === null ? null : places.get(found)! };
  }).map(
    ({ line, text, value, error }): Candidate => ({
      line,
      text,
      index: value?.index ?? null,
      error,
    }),
  );
  return {
    entries: cut(entries, MOST_ROWS),
    list: entries.map(({ text }) => `${text}\n`).join(""),
    refusedUris: cut(refusedOf(published), MOST_REFUSED),
    refusedMore: cut(refusedOf(others), MOST_REFUSED),
    candidates: cut(matched, MOST_ROWS),
    matches: matched.filter(({ index }) => index !== null).length,
  };
}
