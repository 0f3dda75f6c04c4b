import type { ThreatList } from "@x/wire";
import { listNames } from "../../store/collect-garbage.ts";
import { checkNotExpired, type SeenVersion } from "../../store/commit-log.ts";
import { StoreError } from "../../store/error.ts";
import { isListName } from "../../store/keys.ts";
import {
  type ChangesSince,
  changesUpTo,
  type LoadedList,
  loadFollowing,
  loadNewest,
} from "../../store/list-reader.ts";
import type { SeenVersions } from "../../store/seen-versions.ts";
import type { Storage } from "../../store/storage/storage.ts";
import { threatRow } from "./threat-rows.ts";

/** A list as it is served now. */
export interface ServedList {
  readonly name: string;
  readonly row: ThreatList;
  /** The newest verified version; `null` when there is none that may be served. */
  readonly loaded: LoadedList | null;
  /** Why the newest version in the store is not served; `null` when it is. */
  readonly problem: string | null;
  readonly changesSince: ChangesSince;
}

export interface ServedListsOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  /** Differences are answered from so many newest versions. */
  readonly window: number;
  /** The versions seen before; a list of theirs that is missing in the store is a problem. */
  readonly seen: SeenVersions;
  /** Called with each version that was loaded. */
  readonly onLoaded: (list: string, seen: SeenVersion) => void;
  readonly now?: () => number;
}

/** The lists of a store, kept current. */
export interface ServedLists {
  /** The same array until a list changes. */
  all(): readonly ServedList[];
  /** Looks for new versions; says whether anything is different now. */
  refresh(): Promise<boolean>;
}

const noChanges: ChangesSince = async () => "unknown-token";

export function servedLists(options: ServedListsOptions): ServedLists {
  const { storage, publicKeys, window, seen, onLoaded, now = Date.now } = options;
  let lists: readonly ServedList[] = [];

  async function load(name: string, before: ServedList | undefined): Promise<ServedList> {
    try {
      const loaded = before?.loaded
        ? await loadFollowing(storage, before.loaded)
        : await loadNewest(storage, name, publicKeys, seen.get(name) ?? null, now());
      if (loaded === null) throw new StoreError("missing", `The list ${name} has no version yet`);
      checkNotExpired(loaded.entry, now());
      if (loaded === before?.loaded && before.problem === null) return before;
      const { entry } = loaded;
      onLoaded(name, { version: entry.manifest.version, hash: entry.hash });
      const changesSince = changesUpTo(storage, loaded, window);
      return { name, row: threatRow(name), loaded, problem: null, changesSince };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      // What was verified is served on while the store is wrong, but not past its expiry.
      const isExpired = before?.loaded && before.loaded.entry.manifest.expires <= now();
      const loaded = isExpired ? null : (before?.loaded ?? null);
      if (before && problem === before.problem && loaded === before.loaded) return before;
      return {
        name,
        row: threatRow(name),
        loaded,
        problem,
        changesSince: before?.changesSince ?? noChanges,
      };
    }
  }

  return {
    all: () => lists,
    async refresh() {
      const known = new Map(lists.map((list) => [list.name, list]));
      // A list expires even while nobody can say which lists there are.
      const stored = await listNames(storage).catch((error: unknown) => {
        if (known.size === 0) throw error;
        return [];
      });
      const names = new Set([...known.keys(), ...seen.keys(), ...stored.filter(isListName)]);
      const next: ServedList[] = [];
      for (const name of [...names].sort()) next.push(await load(name, known.get(name)));
      const isSame = next.length === lists.length && next.every((list, i) => list === lists[i]);
      if (!isSame) lists = next;
      return !isSame;
    },
  };
}
