import { collectGarbage, type Garbage } from "@x/list-store";
import type { Settings } from "./settings/schema.ts";
import { readPublicKeys, type StoreFiles } from "./store-files.ts";

/** Deletes the objects in a store that no recent version needs. */
export async function collectStore(
  { storage, publicKeyFile }: StoreFiles,
  { versions: keep, differences: keepChanges, unused: grace }: Settings["keep"],
  { dryRun }: { readonly dryRun: boolean },
): Promise<Garbage> {
  const publicKeys = await readPublicKeys(publicKeyFile);
  return collectGarbage({ storage, publicKeys, keep, keepChanges, grace, dryRun });
}
