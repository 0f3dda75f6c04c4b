import { collectGarbage, type Garbage } from "@x/list-store";
import { readPublicKeys, type StoreFiles } from "./store-files.ts";

/** The settings for garbage collection. `keep` and `window` count versions, and `grace` is in milliseconds. */
export interface CollectSettings {
  readonly publicKey?: string;
  readonly keep: number;
  readonly window: number;
  readonly grace: number;
  readonly dryRun?: boolean;
}

/** Deletes the objects in a store that no recent version needs. */
export async function collectStore(
  { storage, publicKeyFile }: StoreFiles,
  { publicKey, keep, window, grace, dryRun = false }: CollectSettings,
): Promise<Garbage> {
  const publicKeys = await readPublicKeys(publicKey ?? publicKeyFile);
  const options = { storage, publicKeys, keepChanges: window, grace, dryRun };
  return collectGarbage({ ...options, keep: Math.max(1, keep) });
}
