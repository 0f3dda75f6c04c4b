import type { PrefixList } from "@x/prefix-list";
import type { PublishedList } from "./fetch-list.ts";
import type { ListSource } from "./read-list.ts";

/** A list to check URLs against. */
export interface PageList {
  readonly list: PrefixList;
  readonly from: "page" | "store" | "file" | "text";
  /** Whether the list is one of safe sites. */
  readonly isSafe: boolean;
  /** The facts about the file of the list; `null` for a list that is not from a file. */
  readonly source: ListSource | null;
  /** Where the list is published, if it is from a store. */
  readonly published?: PublishedList;
}

/** Divides lists into the two kinds that a checker takes. */
export function splitLists(loaded: readonly PageList[]): {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
} {
  const marked = (isSafe: boolean) =>
    loaded.filter((one) => one.isSafe === isSafe).map(({ list }) => list);
  return { lists: marked(false), safeLists: marked(true) };
}
