import { readUrl } from "@x/canon/readings";
import { type Checker, checker, type Match, type UrlVerdict } from "@x/lookup";
import { StoreError } from "../../store/error.ts";
import { type Answering, loadedOf, unavailable } from "../answering.ts";
import type { ServedList } from "../lists/served-lists.ts";

/** One expression of a URL whose full hash is on a list. */
export interface ConfirmedMatch extends Pick<Match, "expression" | "reading"> {
  readonly list: ServedList;
}

/** The verdict on one input: what is listed, or why the input is not a URL. */
export interface ConfirmedVerdict extends Pick<UrlVerdict, "error"> {
  readonly matches: readonly ConfirmedMatch[];
}

type Searched = Pick<Answering, "lists" | "findFullHashes">;

const NO_MATCHES: readonly ConfirmedMatch[] = [];

/** A checker of all lists, for as long as no list changes. */
const checkers = new WeakMap<readonly ServedList[], Checker>();

function checkerOf(lists: readonly ServedList[]): Checker {
  let found = checkers.get(lists);
  if (found === undefined) {
    found = checker(lists.flatMap(({ loaded }) => (loaded === null ? [] : [loaded.prefixes])));
    checkers.set(lists, found);
  }
  return found;
}

/**
 * One verdict for each URL, in their order. A URL is listed when one of its expressions, in either reading, has its
 * full hash on one of the lists.
 *
 * @throws {HttpProblem} 503 when one of the lists may not be served, or its full hashes cannot be read.
 */
export async function lookUpUrls(
  urls: readonly (string | Uint8Array)[],
  lists: readonly ServedList[],
  { lists: served, findFullHashes }: Searched,
): Promise<ConfirmedVerdict[]> {
  const listOf = new Map(lists.map((list) => [loadedOf(list).prefixes, list]));
  const all = served.all();
  // If a list changed after the caller chose the lists, the checker of all lists no longer has that version.
  const { checkMany } = lists.every((list) => all.includes(list))
    ? checkerOf(all)
    : checker([...listOf.keys()]);

  async function isConfirmed({ name, loaded }: ServedList, hash: Uint8Array): Promise<boolean> {
    try {
      return (await findFullHashes(loaded!, hash)).length > 0;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw unavailable({ name, problem: error.message });
    }
  }

  async function confirm(found: readonly Match[]): Promise<readonly ConfirmedMatch[]> {
    const confirmed: ConfirmedMatch[] = [];
    for (const { hash, list: prefixes, expression, reading } of found) {
      const list = listOf.get(prefixes);
      if (list === undefined || !(await isConfirmed(list, hash))) continue;
      confirmed.push({ list, expression, reading });
    }
    return confirmed;
  }

  const verdicts: ConfirmedVerdict[] = [];
  // All at once, since the checker keeps its memory until the last one is taken.
  for (const [i, { matches, error }] of [...checkMany(urls)].entries()) {
    const confirmed = matches.length === 0 ? NO_MATCHES : await confirm(matches);
    // A host that cannot be decided is an error again when the match was one by chance, or on another list.
    const isRefuted = matches.length > 0 && confirmed.length === 0;
    verdicts.push({
      matches: confirmed,
      error: isRefuted ? readUrl(urls[i]!).problem : error,
    });
  }
  return verdicts;
}
