import { type About, type EntryHistory, loadList, readHistory } from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { fullHash } from "@x/sha256-prefix";
import type { StoreSettings } from "../../page-settings.ts";
import { PREFIX_BYTES } from "./read-list.ts";

/** The store to fetch a list from, and the address of the page. */
export interface ListAsked {
  readonly store: StoreSettings;
  readonly page: string;
}

/** Where a list is published, and what its publisher says about it. */
export interface PublishedList extends ListAsked {
  /** Why entries are on the list, and whom to tell about a mistake. */
  readonly about: About;
}

/** The expressions whose history to read. */
export interface HistoryAsked extends ListAsked {
  readonly expressions: readonly string[];
}

const storedList = ({ store: { url, list, publicKeys }, page }: ListAsked) => ({
  storage: httpStorage(new URL(url, page)),
  list,
  publicKeys,
});

/**
 * The newest version of a list, with its signature verified.
 *
 * @throws StoreError when the list is not valid or not current; Error when the store does not have the list.
 */
export async function fetchList(asked: ListAsked) {
  const loaded = await loadList({ ...storedList(asked), prefixBytes: PREFIX_BYTES });
  if (loaded === null) throw new Error("the store has no such list");
  const published: PublishedList = { ...asked, about: loaded.entry.manifest.about ?? {} };
  return { list: loaded.prefixes, published };
}

/**
 * When expressions were on a list, in the same order.
 *
 * @throws StoreError when the store is not valid; Error when it does not have the list.
 */
export async function fetchHistory(asked: HistoryAsked): Promise<readonly EntryHistory[]> {
  const hashes = asked.expressions.map((expression) => fullHash(expression));
  const history = await readHistory(storedList(asked), hashes);
  if (history === null) throw new Error("the store has no such list");
  return history.entries;
}
