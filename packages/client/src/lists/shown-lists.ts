import { createSnapshot, type Snapshot } from "../checks/snapshot.ts";
import type { HashCache } from "../hashes/hash-cache.ts";
import type { CheckedOptions } from "../options.ts";
import type { KeptList } from "../protocols/protocol.ts";
import type { UpdateTimes } from "../schedule/update-times.ts";
import { type ListKeeper, statesOf } from "./list-keeper.ts";

/** The lists as checks and searches see them. */
export interface ShownLists {
  readonly snapshot: Snapshot;
  /**
   * The last version of every list that the client had. A check may still use a list that has since been thrown away,
   * and the search for that check must include it.
   */
  searched(): KeptList[];
  /** Makes checks and searches use the current lists. */
  refresh(): void;
}

export interface ShownListsOptions
  extends Pick<CheckedOptions, "protocol" | "procedure" | "registrableDomain" | "grace" | "now"> {
  readonly keeper: ListKeeper;
  readonly times: UpdateTimes;
  readonly cache: HashCache;
}

export function createShownLists(options: ShownListsOptions): ShownLists {
  const { keeper, times, cache, procedure, protocol, registrableDomain, grace, now } = options;
  const last = new Map<string, KeptList>();
  let snapshot = snapshotAfter(null);

  function snapshotAfter(before: Snapshot | null): Snapshot {
    const remembered = procedure === "local-list" ? cache.listed(now()) : [];
    const states = statesOf(keeper);
    const { wait } = times;
    return createSnapshot({ states, protocol, registrableDomain, remembered, before, wait, grace });
  }

  return {
    get snapshot() {
      return snapshot;
    },
    searched: () => statesOf(keeper).map((state) => last.get(state.name) ?? state),
    refresh() {
      for (const state of statesOf(keeper)) if (state.list !== null) last.set(state.name, state);
      snapshot = snapshotAfter(snapshot);
    },
  };
}
