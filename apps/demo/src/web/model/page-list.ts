import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";
import type { PublishedList } from "./fetch-list.ts";
import type { ListSource } from "./read-list.ts";

/** A list to check URLs against. */
export interface PageList {
  readonly list: PrefixList;
  readonly from: "page" | "store" | "file";
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

/** The name of the file of a list, such as `phishing.list`. */
export function listFileName(name: string): string {
  return `${name.replace(/[^\w.-]/g, "-").slice(0, 80)}.list`;
}

/** A list of dangerous sites that is older than this misses most of today's dangerous sites. */
const LONGEST_CURRENT_MS = 30 * 86_400_000;

/**
 * Whether one of the user's lists is too old for a verdict. The built-in list is never too old, because it is only for
 * trying the page, which says that the list is old. Lists of safe sites, and lists that do not say when they were made,
 * are never too old, either.
 */
export function isOutdated({ list: { created }, from, isSafe }: PageList): boolean {
  return from !== "page" && !isSafe && created > 0 && isOld(created);
}

export function isOld(time: number): boolean {
  return Date.now() - time > LONGEST_CURRENT_MS;
}

/** Names lists, and says when they were made: "phishing of 2026-01-02". More than three lists are only counted. */
export function listsInWords(lists: readonly PageList[]): string {
  if (lists.length > 3) return counted(lists.length, "list", "lists");
  const named = lists.map(({ list: { name, created } }) => {
    const day = created === 0 ? "" : ` of ${new Date(created).toISOString().slice(0, 10)}`;
    return `${printable(name).slice(0, 40)}${day}`;
  });
  return named.length === 0 ? "no list" : named.join(", ");
}
