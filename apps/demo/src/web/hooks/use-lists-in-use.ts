import { useCallback, useMemo } from "preact/hooks";
import { isChecksumOf } from "../model/link.ts";
import type { WorkerClient } from "../worker-client.ts";
import type { useLinkedState } from "./use-linked-state.ts";
import { type Lists, type LoadedList, useLists } from "./use-lists.ts";
import { type TriedList, useTriedList } from "./use-tried-list.ts";

export interface ListsInUse {
  /** The lists from files. */
  readonly lists: Lists;
  /** The list that is typed into the page. */
  readonly tried: TriedList;
  /** All of them; `null` while they are loading. */
  readonly all: readonly LoadedList[] | null;
  /** Checksums of lists that are in the link but not on this page. */
  readonly missing: readonly string[];
  /** Sentences that say why lists are missing. */
  readonly doubts: readonly string[];
}

/** The lists in a link; `null` for the built-in list alone. */
function listsForLink(loaded: readonly LoadedList[]): readonly string[] | null {
  const isInitial = loaded.length === 1 && loaded[0]!.isBuiltIn;
  return isInitial ? null : loaded.map(({ list }) => list.checksum);
}

function missingLists(
  inLink: readonly string[] | null,
  loaded: readonly LoadedList[] | null,
): readonly string[] {
  if (inLink === null || loaded === null) return [];
  const isLoaded = (checksum: string): boolean =>
    loaded.some(({ list }) => isChecksumOf(checksum.slice(0, 16), list.checksum));
  return inLink.filter((checksum) => !isLoaded(checksum));
}

function doubtsAbout(
  hasFailed: boolean,
  missing: readonly string[],
  isTriedUnread: boolean,
): readonly string[] {
  const doubts: string[] = [];
  if (hasFailed) doubts.push("The built-in list failed to load, so nothing was looked up in it.");
  if (missing.length > 0) {
    const lists = missing.length === 1 ? "A list" : `${missing.length} lists`;
    doubts.push(`${lists} in this link ${missing.length === 1 ? "is" : "are"} not on this page.`);
  }
  if (isTriedUnread) doubts.push("Your list was not read, so nothing was looked up in it.");
  return doubts;
}

/** All lists that URLs are checked against, and those that should be among them. */
export function useListsInUse(
  worker: WorkerClient,
  { state, update }: Pick<ReturnType<typeof useLinkedState>, "state" | "update">,
): ListsInUse {
  const remember = useCallback(
    (loaded: readonly LoadedList[]) =>
      update((before) => ({ ...before, lists: listsForLink(loaded) })),
    [update],
  );
  const setTried = useCallback(
    (text: string) => update((before) => ({ ...before, tried: text })),
    [update],
  );
  const lists = useLists(worker, { wanted: state.lists, onChange: remember });
  const tried = useTriedList(worker, state.tried, setTried);
  const { loaded, hasFailed } = lists;
  const all = useMemo(
    () => (loaded === null || tried.list === null ? loaded : [...loaded, tried.list]),
    [loaded, tried.list],
  );
  const missing = missingLists(state.lists, loaded);
  const doubts = doubtsAbout(hasFailed, missing, tried.problem !== null);
  return { lists, tried, all, missing, doubts };
}
