import { isDefanged } from "@x/canon/defanged";
import { ListSourceError } from "../error.ts";
import type { Output } from "../formats/format.ts";
import { quoted, shorten } from "../text.ts";

/** A column, or a place in a JSON document, that may have the entries. */
export interface Candidate {
  /** The name of the column, or the path of the place. */
  readonly path: string;
  /** The number of its values. */
  readonly count: number;
  /** One of the values. */
  readonly example: string;
}

/** The number of values that are tested. */
const MOST_TESTED = 100;
/** Matches the rest of a URL, but not a network prefix length such as `/24`. Its host is in another column. */
const PATH = /^\/(?!\d{1,3}$)[^/\s]/;

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const DOT = /[.\u3002\uff0e\uff61]/;
const IP_ADDRESS = /^\[?[\da-f.]*[:.][\da-f:.]+\]?(?::\d+)?$/i;

/**
 * Returns whether a text is a URL, or a host below a top-level domain, perhaps defanged. Names of files do not count,
 * and neither do IP addresses, which tables have beside the entries.
 */
export function entryTest({ accepts }: Pick<Output, "accepts">): (text: string) => boolean {
  return (text) => {
    if (SCHEME.test(text)) return accepts(text, "field") || isDefanged(text);
    // Most other values are words and numbers.
    if (/\s/.test(text) || IP_ADDRESS.test(text)) return false;
    if (isDefanged(text)) return true;
    if (!DOT.test(text)) return false;
    const end = text.search(/[/?#]/);
    // An open rule must end in a top-level domain.
    return accepts(end < 0 ? text : text.slice(0, end), "open-rule") && accepts(text, "field");
  };
}

/**
 * Whether values may be the entries of a table: at least a tenth of them are URLs or hosts, or the rest of URLs, and at
 * least a tenth of the rows have a value. Returns an example, or `null`.
 */
export function mayBeEntries(
  values: readonly string[],
  rows: number,
  isEntry: (text: string) => boolean,
): string | null {
  if (values.length * 10 < rows) return null;
  const tested = values.slice(0, MOST_TESTED);
  let example: string | null = null;
  let found = 0;
  for (const value of tested) {
    if (!isEntry(value) && !PATH.test(value)) continue;
    example ??= shorten(value);
    if (++found * 10 >= tested.length) return example;
  }
  return null;
}

const MOST_SHOWN = 5;

/** Candidates in words, each with its number of values and an example. @param sorted the likely ones first. */
function candidatesText(sorted: readonly Candidate[]): string {
  const shown = sorted.slice(0, MOST_SHOWN).map(({ path, count, example }) => {
    const values = count === 1 ? "1 value" : `${count.toLocaleString("en")} values`;
    return `${quoted(path)} (${values}, such as ${JSON.stringify(example)})`;
  });
  const more = sorted.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more.toLocaleString("en")} more` : ""}`;
}

/** The candidates with the most values first. A place inside an array is more likely than one that a document has once. */
function likelyFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const isInArray = ({ path }: Candidate) => Number(path.includes("[]") || path.includes("*"));
  return candidates.toSorted((a, b) => isInArray(b) - isInArray(a) || b.count - a.count);
}

/**
 * The error for a source in which none, or more than one, of the candidates is the column of the entries.
 *
 * @param found what the source is.
 * @param what what to give as the column.
 */
export function columnUnknown(
  code: "column-missing" | "column-ambiguous",
  found: string,
  candidates: readonly Candidate[],
  what: string,
): ListSourceError {
  const sorted = likelyFirst(candidates);
  const [first] = sorted;
  if (first === undefined) return new ListSourceError(code, `${found} without entries`);
  const shown = `${found}${code === "column-missing" ? "; it has" : ":"} ${candidatesText(sorted)}`;
  return new ListSourceError(code, shown, `${what}, such as ${quoted(first.path)}`);
}
