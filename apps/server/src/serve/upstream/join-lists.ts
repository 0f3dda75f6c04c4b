import type { ServedList, ServedLists } from "../lists/served-lists.ts";

/** Lists from one place. */
export type ListsOfOnePlace = Pick<ServedLists, "all" | "refresh" | "expire">;

/**
 * What clients of v5 call a list, or else its own name. Two lists with the same name would be confused with each other.
 */
const calledBy = ({ name, row }: ServedList) => row.v5 ?? name;

/** A list that two places have is served from neither, because nobody knows which one clients mean. */
function withoutTwins(lists: readonly ServedList[]): readonly ServedList[] {
  const byCall = new Map<string, ServedList>();
  for (const list of lists) {
    const twin = byCall.get(calledBy(list));
    byCall.set(
      calledBy(list),
      twin === undefined
        ? list
        : {
            ...twin,
            loaded: null,
            outdated: undefined,
            problem: `There are two lists called ${calledBy(list)}: one of them needs another name`,
            detail: null,
          },
    );
  }
  return [...byCall.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lists of the store, and those of other servers beside them. */
export function joinLists(own: ServedLists, others: readonly ListsOfOnePlace[]): ServedLists {
  if (others.length === 0) return own;
  const places = [own, ...others];
  let parts: readonly (readonly ServedList[])[] = [];
  let joined: readonly ServedList[] = [];

  function all(): readonly ServedList[] {
    const now = places.map((place) => place.all());
    if (!now.every((lists, i) => lists === parts[i])) {
      parts = now;
      joined = withoutTwins(now.flat());
    }
    return joined;
  }

  return {
    all,
    async refresh() {
      const before = all();
      const done = await Promise.allSettled(places.map((place) => place.refresh()));
      const isChanged = all() !== before;
      const failed = done.find((each) => each.status === "rejected");
      // A place that fails is asked again soon. What changed elsewhere must be noticed now.
      if (failed !== undefined && !isChanged) throw failed.reason;
      return isChanged;
    },
    expire: () => places.map((place) => place.expire()).includes(true),
    reportLost: own.reportLost,
  };
}
