import { type Manifest, readPrevious, type Storage } from "@x/list-store";
import { mostRemoved, type RemovalLimit } from "./removal-limits.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The versions that were in use during the last 24 hours, or before a withdrawal, oldest first. */
async function versionsOfDay(storage: Storage, newest: Manifest, now: number): Promise<Manifest[]> {
  const versions: Manifest[] = [];
  for (let manifest: Manifest | undefined = newest; manifest !== undefined; ) {
    if (!manifest.withdrawn) {
      versions.push(manifest);
      if (manifest.issued <= now - DAY) break;
    }
    manifest = (await readPrevious(storage, { manifest }))?.manifest;
  }
  return versions.reverse();
}

/**
 * Returns the number of entries in the longest version of the last 24 hours, or of the last version before the list was
 * withdrawn. When the operator has allowed a shorter version since, the versions before that one do not count.
 * Rollbacks and versions that exceed the limits must have been allowed by the operator.
 */
export async function longestOfDay(
  storage: Storage,
  newest: Manifest,
  limit: RemovalLimit,
  now: number,
): Promise<number> {
  let longest = 0;
  let before = 0;
  for (const { contents, change, restores } of await versionsOfDay(storage, newest, now)) {
    const { fullHashes: entries } = contents;
    const isAllowed =
      restores !== undefined ||
      (change?.removedEntries ?? 0) > mostRemoved(limit, before) ||
      longest - entries > mostRemoved(limit, longest);
    longest = isAllowed ? entries : Math.max(longest, entries);
    before = entries;
  }
  return longest;
}
