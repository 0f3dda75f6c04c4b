import { type Checker, checker, type Match, type UrlVerdict } from "@x/lookup";
import { StoreError } from "../../store/error.ts";
import { type Answering, loadedOf } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
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
  // When a list changed since the caller chose the lists, the checker of all does not have it any more.
  const { checkMany } = lists.every((list) => all.includes(list))
    ? checkerOf(all)
    : checker([...listOf.keys()]);

  async function confirm({ hash, list, expression, reading }: Match): Promise<ConfirmedMatch[]> {
    const asked = listOf.get(list);
    if (asked === undefined) return [];
    try {
      const found = await findFullHashes(loadedOf(asked), hash);
      return found.length === 0 ? [] : [{ list: asked, expression, reading }];
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new HttpProblem(503, `The list ${asked.name} is not available: ${error.message}`, {
        "Retry-After": "60",
      });
    }
  }

  const verdicts: ConfirmedVerdict[] = [];
  // All at once, since the checker keeps its memory until the last one is taken.
  for (const { matches, error } of [...checkMany(urls)]) {
    let confirmed = NO_MATCHES;
    for (const match of matches) {
      const found = await confirm(match);
      if (found.length > 0) confirmed = [...confirmed, ...found];
    }
    verdicts.push({ matches: confirmed, error });
  }
  return verdicts;
}
