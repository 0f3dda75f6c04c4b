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
  // The lists from files, and the one that is typed into the page.
  const lists = useLists({ wanted: state.lists, onChange: remember });
  const tried = useTriedList(state.tried, setTried);
  const { loaded, hasFailed } = lists;
  /** All of them; `null` while they are loading. */
  const all = useMemo(() => {
    if (loaded === null || tried.isUnread) return null;
    return tried.list === null ? loaded : [...loaded, tried.list];
  }, [loaded, tried.list, tried.isUnread]);
  /** Checksums of lists that are in the link but not on this page. */
  const missing = (state.lists ?? []).filter(
    (inLink) =>
      loaded?.every(({ list }) => !isChecksumOf(inLink.slice(0, 16), list.checksum)) ?? false,
  );
  /** Sentences that say why lists are missing. */
  const doubts = doubtsAbout(hasFailed, missing, tried.problem !== null);
  return { lists, tried, all, missing, doubts };
}
