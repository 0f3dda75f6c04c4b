import {
  entryOnLine,
  explainMatch,
  hashedForm,
  type InputProblem,
  publishedUri,
  unusableReason,
} from "@x/explain";
import {
  describeProblem,
  formatHashedUriListHeader,
  type HashedUri,
  type HashedUriListHeader,
  type HashUriOptions,
  hashedUriMatcher,
  parseHashedUriListLine,
  type Variant,
} from "@x/hashed-uri";
import { type ShownOfMany, showFirst } from "./visible.ts";

/** URIs to hash and a list to look for them in, each with one entry per line. */
export interface HashedLines {
  readonly uris: string;
  /** A list of hashed URIs, perhaps with comments that say how it was made. */
  readonly list: string;
  readonly options: HashUriOptions & { readonly algorithm: string; readonly variant: Variant };
}

/** A URI and its hash, or the reason why there is none. Blank lines count in the number of the line. */
export type HashedLine = { readonly line: number; readonly uri: string } & (
  | { readonly hashed: string; readonly isOnList: boolean; readonly error: null }
  | { readonly hashed: null; readonly isOnList: false; readonly error: InputProblem }
);

/** A line of the list that matches no URI. */
interface UselessLine {
  readonly line: number;
  /** Why it never matches, safe to show. */
  readonly reason: string;
}

/** The results that the screen for hashed URIs shows. */
export interface HashedMatching {
  /** The URIs. `form` is the canonical form that is hashed. */
  readonly uris: ShownOfMany<HashedLine & { readonly form: string }>;
  /** The list to publish: comments that say how it was made, and a hashed URI per line. */
  readonly published: string;
  readonly matches: number;
  readonly entries: number;
  readonly useless: ShownOfMany<UselessLine>;
  readonly header: HashedUriListHeader;
}

const MOST_ROWS = 500;
const MOST_USELESS = 20;

type Entry = HashedUri & { readonly line: number };

/** Reads a list, and returns the function that finds the entry that a URI matches. */
function readList(text: string, variant: Variant) {
  let header: HashedUriListHeader = {};
  const entries: Entry[] = [];
  const useless: UselessLine[] = [];
  for (const [i, written] of text.split("\n").entries()) {
    const read = parseHashedUriListLine(written, header);
    if (read.kind === "header") header = read.header;
    else if (read.kind === "entry") entries.push({ ...read.hashed, line: i + 1 });
    else if (read.kind === "refused") {
      useless.push({ line: i + 1, reason: describeProblem(written, read).message });
    }
  }
  const match = hashedUriMatcher(entries, {
    variant: header.variant ?? variant,
    base: header.base,
  });
  for (const one of match.unusable) {
    // The matcher returns the very objects that it was given.
    const { line } = one.hashed as Entry;
    useless.push({ line, reason: `It never matches: ${unusableReason(one)}.` });
  }
  return { header, match, entries: entries.length, useless };
}

/** Hashes URIs, and looks for them in a list of hashed URIs. */
export function matchHashed({ uris, list, options }: HashedLines): HashedMatching {
  const { variant, algorithm } = options;
  const { header, match, entries, useless } = readList(list, variant);
  const lines = uris.split(/\r?\n/).flatMap((written, i): HashedLine[] => {
    const uri = entryOnLine(written);
    if (uri === null) return [];
    const line = i + 1;
    const published = publishedUri(uri, options);
    if ("error" in published) {
      return [{ line, uri, hashed: null, isOnList: false, error: published.error }];
    }
    const found = explainMatch(uri, match);
    const isOnList = "matched" in found && found.matched;
    return [{ line, uri, hashed: published.hashed, isOnList, error: null }];
  });
  const hashed = lines.flatMap((line) => line.hashed ?? []);
  const { shown, total } = showFirst(lines, MOST_ROWS);
  return {
    uris: {
      // Only rows that are shown need their canonical forms.
      shown: shown.map((one) => ({ ...one, form: String(hashedForm(one.uri, options)) })),
      total,
    },
    published:
      formatHashedUriListHeader({ variant, algorithm, count: hashed.length }) +
      hashed.map((one) => `${one}\n`).join(""),
    matches: lines.filter(({ isOnList }) => isOnList).length,
    entries,
    useless: showFirst(useless, MOST_USELESS),
    header,
  };
}
