import { setTimeout } from "node:timers/promises";
import type { Failure } from "@x/command-line";
import { matchRecord, matchText } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import { type Checker, chanceOfFalseMatch, checker, type UrlVerdict } from "@x/lookup";
import { hasName } from "@x/sha256-prefix/has-name";
import {
  type ListPlace,
  tellInUse,
  type WatchedLists,
  watchLists,
} from "../../input/watch-lists.ts";
import { type HelperVerdict, unreadableReason, type VerdictSource } from "./verdict.ts";

/** The time between attempts to read the lists, in milliseconds. */
const TRY_EVERY = 1000;

export interface ListVerdictOptions {
  readonly lists: ListPlace;
  /** List files of safe sites. A URL that is on one of these lists in every reading does not count as listed. */
  readonly safeLists: readonly string[];
}

function verdictOf({ matches, safeMatches, error }: UrlVerdict): HelperVerdict {
  if (error !== null) return { kind: "unreadable", reason: unreadableReason(error.code) };
  if (matches.length === 0 || safeMatches.length > 0) return { kind: "not-listed" };
  const match = matches.find(({ confirmed }) => confirmed) ?? matches[0]!;
  const chance = chanceOfFalseMatch(match.list);
  return { kind: "listed", reason: printableInShort(matchText(matchRecord(match), chance)) };
}

/**
 * Gives verdicts from list files, which are loaded again when they change. If a file cannot be read at the start, the
 * verdict on every URL is `unchecked` until the files can be read.
 *
 * @param tell writes a line when the lists are loaded, when they change, and when they cannot be read.
 */
export async function listVerdicts(
  { lists, safeLists }: ListVerdictOptions,
  tell: (line: string) => void,
): Promise<VerdictSource> {
  let current: Checker | null = null;
  let watched: readonly WatchedLists[] = [];
  let problem = "";
  const closing = new AbortController();

  /** Opens the lists. Returns `false` if one cannot be read. */
  async function open(): Promise<boolean> {
    const opened: WatchedLists[] = [];
    const renew = (): void => {
      const [dangerous, safe] = opened.map((each) => each.lists());
      current = checker(dangerous!, { safeLists: safe! });
    };
    try {
      opened.push(await watchLists(lists, tell, renew));
      opened.push(await watchLists({ files: safeLists }, tell, renew));
      renew();
      watched = opened;
      const inUse = opened.flatMap((each) => each.lists());
      tellInUse("lists in use", inUse, tell);
      return true;
    } catch (error) {
      for (const each of opened) each.close();
      if (!hasName<Failure>(error, "Failure")) throw error;
      if (error.message !== problem) tell(`${error.message}: no URLs are checked in the meantime`);
      problem = error.message;
      return false;
    }
  }

  /** Tries again until the lists can be read or are no longer needed. */
  async function retry(): Promise<void> {
    try {
      do await setTimeout(TRY_EVERY, undefined, { ref: false, signal: closing.signal });
      while (!(await open()));
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    }
  }

  if (!(await open())) void retry();

  return {
    async verdictsOn(urls) {
      if (current === null) {
        const reason = "the lists cannot be read";
        return urls.map(() => ({ kind: "unchecked", reason }));
      }
      return Array.from(current.checkMany(urls), verdictOf);
    },
    close() {
      closing.abort();
      for (const each of watched) each.close();
    },
  };
}
