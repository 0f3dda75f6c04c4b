import {
  formatHashedUri,
  type HashedUri,
  type HashedUriError,
  type HashUriOptions,
  hashedUriMatcher,
  hashUri,
  parseHashedUri,
} from "@x/hashed-uri";

type Trouble = Pick<HashedUriError, "code" | "message" | "index" | "section">;

/** A line of text and what became of it. */
export type Outcome<T> = {
  /** From 1; blank lines count too. */
  readonly line: number;
  readonly text: string;
} & (
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: Trouble }
);

function eachLine<T>(text: string, evaluate: (line: string) => T): Outcome<T>[] {
  return text.split(/\r?\n/).flatMap((written, i): Outcome<T>[] => {
    if (written.trim() === "") return [];
    try {
      return [{ line: i + 1, text: written, value: evaluate(written), error: null }];
    } catch (error) {
      if ((error as Error).name !== "HashedUriError") throw error;
      const { code, message, index, section } = error as HashedUriError;
      return [
        { line: i + 1, text: written, value: null, error: { code, message, index, section } },
      ];
    }
  });
}

/** Hashes the URIs of a text, one a line. */
export function publish(text: string, options: HashUriOptions): Outcome<string>[] {
  return eachLine(text, (line) => hashUri(line, options));
}

/** An entry of the list that candidates are matched against. */
export interface Entry {
  readonly hashed: HashedUri;
  readonly text: string;
  /** Why no candidate can match it; `null` when one can. */
  readonly unusable: string | null;
}

export interface Matching {
  readonly entries: readonly Entry[];
  /** Lines that are no hashed URIs. */
  readonly refused: readonly Outcome<HashedUri>[];
  /** Of each candidate the index of the entry that it matches, or `null`. */
  readonly candidates: readonly Outcome<{ readonly index: number | null }>[];
}

const REASONS = {
  "algorithm-unknown": "its algorithm is not known here",
  "value-length": "no hash of its algorithm has so many digits",
} as const;

/** Matches candidates, one a line, against hashed URIs that were published and others, one a line. */
export function match(
  published: readonly Outcome<string>[],
  others: string,
  candidates: string,
  variant: "N" | "P",
): Matching {
  const parsed = eachLine(others, (line) => parseHashedUri(line.trim()));
  const hashed = [
    ...published.flatMap(({ value }) => (value === null ? [] : [parseHashedUri(value)])),
    ...parsed.flatMap(({ value }) => (value === null ? [] : [value])),
  ];
  const matcher = hashedUriMatcher(hashed, { variant });
  const unusable = new Map(matcher.unusable.map((one) => [one.hashed, REASONS[one.reason]]));
  const places = new Map(hashed.map((one, i) => [one, i]));
  return {
    entries: hashed.map((one) => ({
      hashed: one,
      text: formatHashedUri(one),
      unusable: unusable.get(one) ?? null,
    })),
    refused: parsed.filter(({ error }) => error !== null),
    candidates: eachLine(candidates, (line) => {
      const found = matcher(line);
      return { index: found === null ? null : (places.get(found) ?? null) };
    }),
  };
}
