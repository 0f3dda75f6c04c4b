import { loadList } from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import type { PrefixList } from "@x/prefix-list";
import type { StoreSettings } from "./page-settings.ts";
import { PREFIX_BYTES } from "./read-list.ts";

/** The store to fetch a list from, and the address of the page. */
export interface ListAsked {
  readonly store: StoreSettings;
  readonly page: string;
}

/**
 * The newest version of a list, with its signature verified.
 *
 * @throws StoreError when the list is not valid or not current; Error when the store does not have the list.
 */
export async function fetchList({ store, page }: ListAsked): Promise<PrefixList> {
  const { url, list, publicKeys } = store;
  const storage = httpStorage(new URL(url, page));
  const loaded = await loadList({ storage, list, publicKeys, prefixBytes: PREFIX_BYTES });
  if (loaded === null) throw new Error("the store has no such list");
  return loaded.prefixes;
}
