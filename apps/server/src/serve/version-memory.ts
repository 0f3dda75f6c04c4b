import type { SeenVersion } from "@x/list-store";
import { rememberSeen, type SeenVersions } from "../storage/seen-versions.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { ServerLog } from "./log.ts";

export interface MemoryOptions {
  readonly seen: SeenVersions;
  /** The file for the highest versions seen; `null` if they are not saved. */
  readonly seenFile: string | null;
  readonly log: ServerLog;
}

const MINUTE = 60_000;

/** The highest version of each list that this server has seen. */
export interface VersionMemory {
  seen(): SeenVersions;
  /** Saves a version. Only one write runs at a time. */
  remember(list: string, version: SeenVersion): void;
  /** The lists that were private before the server started. */
  privateLists(): ReadonlySet<string>;
  /** Saves which lists are private from now on. */
  rememberKeys(keys: ApiKeys): void;
}

/** @param retryAfter how long to wait when the file cannot be written, in milliseconds. */
export function versionMemory(
  { seen, seenFile, log }: MemoryOptions,
  retryAfter: number = MINUTE,
): VersionMemory {
  /** All versions are written each time, because somebody may have removed the file in the meantime. */
  const all = new Map(seen);
  let queue = Promise.resolve();
  let hasFailed = false;
  let isWaiting = false;
  /** Unset until the lists of the start have been read. */
  let keys: ApiKeys | null = null;

  function save(): void {
    if (seenFile === null) return;
    queue = queue
      .then(() => rememberSeen(seenFile, marked()))
      .then(
        () => {
          if (hasFailed) log.info("The highest versions seen can be saved again.");
          hasFailed = false;
        },
        (error) => {
          if (!hasFailed)
            log.warn(`The highest versions seen cannot be saved: ${(error as Error).message}`);
          hasFailed = true;
          saveLater();
        },
      );
  }

  /** Otherwise, a list without a new version, and that it is private, would be unknown after a restart. */
  function saveLater(): void {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      save();
    }, retryAfter).unref();
  }

  function marked(): SeenVersions {
    if (keys === null) return all;
    const { isPrivate } = keys;
    return new Map([...all].map(([list, each]) => [list, { ...each, private: isPrivate(list) }]));
  }

  return {
    seen: () => new Map(all),
    remember(list, version) {
      all.set(list, version);
      save();
    },
    privateLists: () => new Set([...seen].flatMap(([list, each]) => (each.private ? [list] : []))),
    rememberKeys(next) {
      keys = next;
      save();
    },
  };
}
