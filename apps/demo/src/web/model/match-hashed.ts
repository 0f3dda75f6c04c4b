import {
  entryOnLine,
  explainMatch,
  hashedForm,
  type InputProblem,
  type PublishedUri,
  publishedUri,
  type Refusal,
  unusableReason,
} from "@x/explain";
import {
  describeProblem,
  formatHashedUriListHeader,
  type HashedUriListHeader,
  type HashUriOptions,
  hashedUriMatcher,
  otherSpelling,
  parseHashedUriListLine,
  type Variant,
} from "@x/hashed-uri";
import { type ShownOfMany, showFirst } from "./shown-of-many.ts";

/** The texts that a publisher and a reader typed, one URI per line, and the publisher's options. */
export interface HashedLines {
  /** The URIs to publish. */
  readonly uris: string;
  /** Hashed URIs from elsewhere. */
  readonly more: string;
  readonly candidates: string;
  readonly options: HashUriOptions & { readonly algorithm: string; readonly variant: Variant };
  /** Whether the root of a site is published with and without its slash if the hashes differ. */
  readonly bothSpellings: boolean;
}

/** A URI to publish whose hash matches only one of its two spellings. */
export interface ExactSpelling {
  readonly line: number;
  readonly uri: string;
  readonly other: string;
}

/** A line that is not a URI or, in the list from elsewhere, not a hashed URI. */
export interface RefusedLine extends InputProblem {
  /** The number of the line, from 1. Blank lines count. */
  readonly line: number;
}

/** An entry of the list that candidates are matched against. */
export interface Entry {
  readonly text: string;
  /** Why the entry can match nothing; `null` when it can match a URI. */
  readonly unusable: string | null;
}

/** An entry of the publisher's own list. */
export interface OwnEntry extends Entry {
  /** The canonical form that is hashed. */
  readonly form: string;
}

export interface Candidate {
  readonly line: number;
  readonly text: string;
  /** The index of the matching entry; `null` if there is none. */
  readonly index: number | null;
  readonly error: InputProblem | null;
}

/** The results that the screen for hashed URIs shows. */
export interface HashedMatching {
  /** The entries of the publisher's own list. */
  readonly own: ShownOfMany<OwnEntry>;
  /** Hashed URIs from elsewhere. Their indices come after those of the publisher's own entries. */
  readonly elsewhere: ShownOfMany<Entry>;
  /** The published list: comment lines that say how it was made, and all entries, one per line. */
  readonly list: string;
  /** URIs whose other spelling is not published. */
  readonly exactSpellings: ShownOfMany<ExactSpelling>;
  /** The header in the comment lines of the hashed URIs from elsewhere. */
  readonly header: HashedUriListHeader;
  /** Lines of the publisher that are not URIs. */
  readonly refusedUris: ShownOfMany<RefusedLine>;
  /** Lines from elsewhere that are not hashed URIs. */
  readonly refusedMore: ShownOfMany<RefusedLine>;
  readonly candidates: ShownOfMany<Candidate>;
  /** The number of candidates that match, including those that are not shown. */
  readonly matches: number;
}

const MOST_ROWS = 500;
const MOST_REFUSED = 20;
const MOST_SPELLINGS = 5;

/** The number of a line and the result for the entry on it. */
interface LineResult<T> {
  readonly line: number;
  readonly text: string;
  readonly result: T | Refusal;
}

/** Evaluates the entries of a text. Blank lines and comments are skipped. */
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

/** Hashed URIs from elsewhere, and the header in their comment lines. */
interface OtherList {
  readonly header: HashedUriListHeader;
  readonly entries: readonly PublishedUri[];
  readonly refused: readonly RefusedLine[];
}

function readOtherList(text: string): OtherList {
  let header: HashedUriListHeader = {};
  const entries: PublishedUri[] = [];
  const refused: RefusedLine[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    const read = parseHashedUriListLine(line, header);
    if (read.kind === "header") header = read.header;
    else if (read.kind === "entry") {
      entries.push({ hashed: line.trim().toLowerCase(), ...read.hashed });
    } else if (read.kind === "refused") {
      refused.push({ line: i + 1, ...describeProblem(line, read) });
    }
  }
  return { header, entries, refused };
}

/** URIs to publish, each with its hashed URI and, if the hash of the other spelling is different, that spelling. */
function publish(uris: string, options: HashUriOptions) {
  return eachEntry(uris, (uri) => {
    const published = publishedUri(uri, options);
    if ("error" in published) return published;
    return { uri, published, other: otherSpelling(uri, options) };
  });
}

/** The numbered entries of a list, and a function that finds the one that a URI matches. */
function matcherFor(
  entries: readonly PublishedUri[],
  firstIndex: number,
  options: Pick<HashUriOptions, "variant" | "base">,
) {
  const numbered = entries.map((entry, i) => ({ ...entry, index: firstIndex + i }));
  const matcher = hashedUriMatcher(numbered, options);
  const unusable = new Map(matcher.unusable.map((one) => [one.hashed, unusableReason(one)]));
  return {
    shown: numbered.map(
      (entry): Entry => ({ text: entry.hashed, unusable: unusable.get(entry) ?? null }),
    ),
    // The matcher returns the very objects that it was given, so they still have their indices.
    match: (uri: string) => matcher(uri) as (typeof numbered)[number] | null,
  };
}

/** Publishes URIs, and matches candidates against the published list and hashed URIs from elsewhere. */
export function matchHashed(asked: HashedLines): HashedMatching {
  const { uris, more, candidates, options, bothSpellings } = asked;
  const { variant, algorithm } = options;
  const lines = publish(uris, options);
  const spellings = lines.flatMap(({ line, text, result }) =>
    isRefusal(result) || result.other === null ? [] : [{ line, uri: text, other: result.other }],
  );
  const others = bothSpellings
    ? publish(spellings.map(({ other }) => `${other}\n`).join(""), options)
    : [];
  const accepted = acceptedOf([...lines, ...others]);
  const published = accepted.map((one) => one.published);
  const elsewhere = readOtherList(more);
  const { header } = elsewhere;
  const own = matcherFor(published, 0, { variant, base: header.base });
  const foreign = matcherFor(elsewhere.entries, published.length, {
    variant: header.variant ?? variant,
    base: header.base,
  });
  const match = (uri: string) => own.match(uri) ?? foreign.match(uri);
  const matched = eachEntry(candidates, (uri) => explainMatch(uri, match)).map(
    ({ line, text, result }): Candidate =>
      isRefusal(result)
        ? { line, text, index: null, error: result.error }
        : { line, text, index: result.entry?.index ?? null, error: null },
  );
  const comments = formatHashedUriListHeader({ variant, algorithm, count: published.length });
  return {
    own: {
      // Only entries that are shown need their canonical forms.
      shown: own.shown.slice(0, MOST_ROWS).map((entry, i) => {
        return { ...entry, form: hashedForm(accepted[i]!.uri, options) as string };
      }),
      total: published.length,
    },
    elsewhere: showFirst(foreign.shown, MOST_ROWS),
    list: comments + published.map(({ hashed }) => `${hashed}\n`).join(""),
    exactSpellings: showFirst(bothSpellings ? [] : spellings, MOST_SPELLINGS),
    header,
    refusedUris: showFirst(refusedOf(lines), MOST_REFUSED),
    refusedMore: showFirst(elsewhere.refused, MOST_REFUSED),
    candidates: showFirst(matched, MOST_ROWS),
    matches: matched.filter(({ index }) => index !== null).length,
  };
}
