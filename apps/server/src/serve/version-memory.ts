import type { SeenVersion } from "@x/list-store";
import { rememberSeen, type SeenVersions } from "../storage/seen-versions.ts";
import type { ServerLog } from "./log.ts";

export interface MemoryOptions {
  readonly seen: SeenVersions;
  /** Where the highest versions seen are kept; `null` if they are not kept. */
  readonly seenFile: string | null;
  readonly log: ServerLog;
}

/** Remembers each version that was seen; writes one at a time. */
export function versionMemory({
  seen,
  seenFile,
  log,
}: MemoryOptions): (list: string, version: SeenVersion) => void {
  /** Writes all of them each time, because somebody may have removed the file in the meantime. */
  const all = new Map(seen);
  let queue = Promise.resolve();
  let hasWarned = false;
  return (list, version) => {
    if (seenFile === null) return;
    all.set(list, version);
    queue = queue
      .then(() => rememberSeen(seenFile, all))
      .catch((error) => {
        if (!hasWarned)
          log.warn(`The highest versions seen cannot be saved: ${(error as Error).message}`);
        hasWarned = true;
      });
  };
}
