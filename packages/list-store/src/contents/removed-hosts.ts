import { fullHash } from "@x/sha256-prefix";
import type { ContentsChange } from "../publishing/new-contents.ts";
import type { Storage } from "../storage/storage.ts";
import { hasPrefix } from "./hash-layers.ts";
import { readNames } from "./stored-contents.ts";

/**
 * Some of the hosts that a new version would remove; none when the store does not keep names. A host whose prefix stays
 * on the list is not among them.
 */
export async function removedHosts(
  storage: Storage,
  { before, fresh }: ContentsChange,
  most: number,
): Promise<string[]> {
  const { names } = before.contents;
  if (names === undefined) return [];
  const removed: string[] = [];
  for (const { host } of (await readNames(storage, names)).shards.flat()) {
    if (!hasPrefix(fresh, fullHash(`${host}/`))) removed.push(host);
    if (removed.length === most) break;
  }
  return removed;
}
