import { StoreError } from "@x/list-store";
import type { ServedList, ServedLists } from "../lists/served-lists.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

/**
 * The name that v5 clients use for a list or, if there is none, its own name. Clients would confuse two lists with the
 * same name.
 */
const calledBy = ({ name, row }: ServedList) => row.v5 ?? name;

/** If two lists have the same name, neither is served, because clients may mean either of them. */
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
            since: 0,
            problem: `There are two lists called ${calledBy(list)}: one of them needs another name`,
            detail: null,
          },
    );
  }
  return [...byCall.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Throws if the store and another server have lists of the same name, because clients would get neither of them.
 *
 * @throws {StoreError} `invalid`
 */
export function checkTwins(own: ServedLists, upstreams: readonly UpstreamLists[]): void {
  const names = new Map(own.all().map((list) => [calledBy(list), list.name]));
  for (const { name, all } of upstreams) {
    for (const list of all()) {
      const twin = names.get(calledBy(list));
      if (twin === undefined) continue;
      throw new StoreError(
        "invalid",
        `The store has the list ${twin}, and the other server ${name} has one that would be served as ${list.name}. Clients could not tell them apart: give one of them another name, for example with names in the settings of that server`,
      );
    }
  }
}

/** Joins the lists of the store with those of other servers. */
export function joinLists(own: ServedLists, others: readonly ServedLists[]): ServedLists {
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
      // A store or server that failed is tried again soon, but changes in the others must be noticed now.
      if (failed !== undefined && !isChanged) throw failed.reason;
      return isChanged;
    },
    expire: () => places.map((place) => place.expire()).includes(true),
  };
}
