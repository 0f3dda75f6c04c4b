import type { SeenVersion } from "@x/list-store";
import { rememberSeen, type SeenVersions } from "../storage/seen-versions.ts";
import type { ServerLog } from "./log.ts";

export interface MemoryOptions {
  readonly seen: SeenVersions;
  /** The file for the highest versions seen; `null` if they are not saved. */
  readonly seenFile: string | null;
  readonly log: ServerLog;
}

/** The highest version of each list that this server has seen. */
export interface VersionMemory {
  seen(): SeenVersions;
  /** Saves a version. Only one write runs at a time. */
  remember(list: string, version: SeenVersion): void;
}

export function versionMemory({ seen, seenFile, log }: MemoryOptions): VersionMemory {
  /** All versions are written each time, because somebody may have removed the file in the meantime. */
  const all = new Map(seen);
  let queue = Promise.resolve();
  let hasWarned = false;
  return {
    seen: () => new Map(all),
    remember(list, version) {
      all.set(list, version);
      if (seenFile === null) return;
      queue = queue
        .then(() => rememberSeen(seenFile, all))
        .catch((error) => {
          if (!hasWarned)
            log.warn(`The highest versions seen cannot be saved: ${(error as Error).message}`);
          hasWarned = true;
        });
    },
  };
}
