import {
  entryOnLine,
  explainMatch,
  type InputProblem,
  publishedUri,
  unusableReason,
} from "@x/explain";
import {
  describeProblem,
  type HashedUri,
  type HashedUriListHeader,
  hashedUriMatcher,
  parseHashedUriListLine,
} from "@x/hashed-uri";
import type { Values } from "./screens.ts";

/** A line with a URI, its hash, and whether the hash is on the list; or the reason why it has none. */
export type HashedLine = { readonly line: number; readonly uri: string } & (
  | { readonly hashed: string; readonly isOnList: boolean; readonly error: null }
  | { readonly hashed: null; readonly isOnList: false; readonly error: InputProblem }
);

/** URIs with their hashes, and what is wrong with the list. */
export interface HashedMatching {
  readonly lines: readonly HashedLine[];
  /** The number of entries on the list. */
  readonly entries: number;
  /** The lines of the list that match no URI, each with the reason, safe to show. */
  readonly useless: readonly string[];
}

/** Reads a list, and returns the function that finds the entry that a URI matches. */
function readHashedList(text: string) {
  let header: HashedUriListHeader = {};
  const entries: (HashedUri & { readonly line: number })[] = [];
  const useless: string[] = [];
  for (const [i, written] of text.split("\n").entries()) {
    const read = parseHashedUriListLine(written, header);
    if (read.kind === "header") header = read.header;
    else if (read.kind === "entry") entries.push({ ...read.hashed, line: i + 1 });
    else if (read.kind === "refused") {
      useless.push(`Line ${i + 1} of the list: ${describeProblem(written, read).message}`);
    }
  }
  const match = hashedUriMatcher(entries, header);
  for (const one of match.unusable) {
    // The matcher returns the very objects that it was given.
    const { line } = one.hashed as (typeof entries)[number];
    useless.push(`Line ${line} of the list never matches: ${unusableReason(one)}.`);
  }
  return { match, entries: entries.length, useless, variant: header.variant };
}

/** Hashes URIs with SHA-1, which all readers know, and looks for them in a list of hashed URIs. */
export function matchHashed({ u, v }: Values<"hashed">): HashedMatching {
  const { match, entries, useless, variant } = readHashedList(v);
  const lines = u.split(/\r?\n/).flatMap((written, i): HashedLine[] => {
    const uri = entryOnLine(written);
    if (uri === null) return [];
    const line = i + 1;
    const published = publishedUri(uri, { algorithm: "sha1", variant });
    if ("error" in published) {
      return [{ line, uri, hashed: null, isOnList: false, error: published.error }];
    }
    const found = explainMatch(uri, match);
    const isOnList = "matched" in found && found.matched;
    return [{ line, uri, hashed: published.hashed, isOnList, error: null }];
  });
  return { lines, entries, useless };
}
