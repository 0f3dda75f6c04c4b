import { isListName, LISTS_FOLDER } from "../keys.ts";
import type { Storage } from "../storage/storage.ts";

/** The names of the lists in a store. Folders that other programs made, such as `@eaDir`, are skipped. */
export async function listNames(storage: Storage): Promise<string[]> {
  const entries = await storage.list(LISTS_FOLDER);
  const folders = entries.filter(({ name }) => name.endsWith("/"));
  return folders.map(({ name }) => name.slice(0, -1)).filter(isListName);
}
