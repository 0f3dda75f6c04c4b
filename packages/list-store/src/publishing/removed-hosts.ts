import { fullHash } from "@x/sha256-prefix";
import { hasPrefix } from "../contents/find-shard.ts";
import { hostsOf, readHostNamesIndex } from "../contents/host-names.ts";
import type { Storage } from "../storage/storage.ts";
import type { NextVersion } from "./new-contents.ts";

/**
 * The hosts that a new version would remove, but at most `most` of them; none when the store does not keep names. Hosts whose
 * prefix stays on the list are not included.
 */
export async function removedHosts(
  storage: Storage,
  { before, fresh }: NextVersion,
  most: number,
): Promise<string[]> {
  const { names } = before.contents;
  if (names === undefined) return [];
  const removed: string[] = [];
  for await (const hosts of hostsOf(storage, await readHostNamesIndex(storage, names))) {
    for (const { host } of hosts) {
      if (removed.length >= most) return removed;
      if (!hasPrefix(fresh.words, fullHash(`${host}/`))) removed.push(host);
    }
  }
  return removed;
}
