import { useCallback, useMemo } from "preact/hooks";
import { isChecksumOf } from "../model/link.ts";
import type { useLinkedState } from "./use-linked-state.ts";
import { type LoadedList, useLists } from "./use-lists.ts";
import { useTriedList } from "./use-tried-list.ts";

/** The lists in a link; `null` for the built-in list alone. */
function listsForLink(loaded: readonly LoadedList[]): readonly string[] | null {
  const isInitial = loaded.length === 1 && loaded[0]!.isBuiltIn;
  return isInitial ? null : loaded.map(({ list }) => list.checksum);
}

/** A list of dangerous sites that is older than this misses most of today's dangerous sites. */
const LONGEST_CURRENT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Whether one of the user's lists is too old for a verdict. The built-in list never is: it is only for trying the page,
 * and the page says that it is old. Lists of safe sites, and lists that do not say when they were made, are never too
 * old, either.
 */
function isOutdated({ list: { created }, isBuiltIn, isSafe }: LoadedList): boolean {
  return (
    !isBuiltIn && !isSafe && created > 0 && Date.now() - created > LONGEST_CURRENT_DAYS * DAY_MS
  );
}

function doubtsAbout(
  hasFailed: boolean,
  missing: readonly string[],
  isTriedUnread: boolean,
  loaded: readonly LoadedList[],
): readonly string[] {
  const doubts: string[] = [];
  for (const { list } of loaded.filter(isOutdated)) {
    const made = new Date(list.created).toISOString().slice(0, 10);
    doubts.push(`${list.name} is out of date: it was made on ${made}.`);
  }
  if (hasFailed) doubts.push("The built-in list failed to load, so nothing was looked up in it.");
  if (missing.length > 0) {
    const lists = missing.length === 1 ? "A list" : `${missing.length} lists`;
    doubts.push(`${lists} in this link ${missing.length === 1 ? "is" : "are"} not on this page.`);
  }
  if (isTriedUnread) doubts.push("Your list was not read, so nothing was looked up in it.");
  return doubts;
}

/** What every user has to know about the built-in list. */
function exampleNoteOn(all: readonly LoadedList[]): string | null {
  if (!all.some(({ isBuiltIn }) => isBuiltIn)) return null;
  const which = all.length > 1 ? "The built-in one" : "This list of phishing sites";
  return `${which} is an old example that came with the page: add a current one under “Lists”.`;
}

/** All lists that URLs are checked against, and those that are missing. */
export function useListsInUse({
  state,
  update,
}: Pick<ReturnType<typeof useLinkedState>, "state" | "update">) {
  const remember = useCallback(
    (loaded: readonly LoadedList[]) =>
      update((before) => ({ ...before, lists: listsForLink(loaded) })),
    [update],
  );
  const setTried = useCallback(
    (text: string) => update((before) => ({ ...before, tried: text })),
    [update],
  );
  // The built-in list and those from files, and the list that is typed into the page.
  const lists = useLists({ wanted: state.lists, onChange: remember });
  const tried = useTriedList(state.tried, setTried);
  const { loaded, hasFailed } = lists;
  /** All of these lists; `null` while they are loading. */
  const all = useMemo(() => {
    if (loaded === null || tried.isUnread) return null;
    return tried.list === null ? loaded : [...loaded, tried.list];
  }, [loaded, tried.list, tried.isUnread]);
  /** Checksums of lists that are in the link but not on this page. */
  const missing = (state.lists ?? []).filter(
    (inLink) =>
      loaded?.every(({ list }) => !isChecksumOf(inLink.slice(0, 16), list.checksum)) ?? false,
  );
  /** Sentences that say which lists are missing or out of date. */
  const doubts = useMemo(
    () => doubtsAbout(hasFailed, missing, tried.problem !== null, loaded ?? []),
    [hasFailed, missing.join(), tried.problem, loaded],
  );
  return { lists, tried, all, missing, doubts, exampleNote: exampleNoteOn(all ?? []) };
}
