import { useCallback, useMemo } from "preact/hooks";
import { listDoubts } from "../model/list-doubts.ts";
import type { PageList } from "../model/page-list.ts";
import { isChecksumOf } from "../model/share-link.ts";
import type { useLinkedState } from "./use-linked-state.ts";
import { useLists } from "./use-lists.ts";
import { useTriedList } from "./use-tried-list.ts";

/** The lists in a link; `null` for the built-in list alone. */
function listsForLink(loaded: readonly PageList[]): readonly string[] | null {
  const isInitial = loaded.length === 1 && loaded[0]!.from === "page";
  return isInitial ? null : loaded.map(({ list }) => list.checksum);
}

export type ListsInUse = ReturnType<typeof useListsInUse>;

/** All lists that URLs are checked against, and the missing ones. */
export function useListsInUse({
  state,
  update,
}: Pick<ReturnType<typeof useLinkedState>, "state" | "update">) {
  const remember = useCallback(
    (loaded: readonly PageList[]) =>
      update((before) => ({ ...before, lists: listsForLink(loaded) })),
    [update],
  );
  const setTried = useCallback(
    (text: string) => update((before) => ({ ...before, tried: text })),
    [update],
  );
  // The built-in list and the lists from files come first, and then the list that is typed into the page.
  const lists = useLists({ wanted: state.lists, onChange: remember });
  const tried = useTriedList(state.tried, setTried);
  const { loaded, hasFailed } = lists;
  /** All lists in use; `null` while they are loading. */
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
    () => listDoubts(hasFailed, missing, tried.problem !== null, loaded ?? []),
    [hasFailed, missing.join(), tried.problem, loaded],
  );
  return { lists, tried, all, missing, doubts };
}
