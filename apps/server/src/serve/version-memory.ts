import type { SeenVersion } from "@x/list-store";
import { rememberSeen, type SeenVersions } from "../storage/seen-versions.ts";
import type { ServerLog } from "./log.ts";

export interface MemoryOptions {
  readonly seen: SeenVersions;
  /** The file for the highest versions seen; `null` if they are not saved. */
  readonly seenFile: string | null;
  readonly log: ServerLog;
}

/** Saves each version that was seen. Only one write runs at a time. */
export function versionMemory({
  seen,
  seenFile,
  log,
}: MemoryOptions): (list: string, version: SeenVersion) => void {
  /** All versions are written each time, because somebody may have removed the file in the meantime. */
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
