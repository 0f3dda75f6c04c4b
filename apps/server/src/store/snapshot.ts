import { setImmediate as nextTurn } from "node:timers/promises";
import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { StoreError } from "./error.ts";
import type { Manifest } from "./manifest.ts";
import { getObject } from "./objects.ts";
import type { Storage } from "./storage/storage.ts";

/** The prefixes of a version, checked against its manifest. */
export async function readSnapshot(
  storage: Storage,
  { contents, list, version }: Manifest,
): Promise<PrefixList> {
  const bytes = await getObject(storage, contents.snapshot);
  await nextTurn();
  const prefixes = decodePrefixList(bytes);
  if (prefixes.checksum !== contents.checksum || prefixes.size !== contents.prefixes) {
    throw new StoreError(
      "damaged",
      `The snapshot of version ${version} of ${list} is not the one that was signed`,
    );
  }
  return prefixes;
}
