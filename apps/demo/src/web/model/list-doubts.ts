import type { PageList } from "./page-list.ts";

/** A list of dangerous sites that is older than this many days misses most of today's dangerous sites. */
const LONGEST_CURRENT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Whether one of the user's lists is too old for a verdict. The built-in list is never too old, because it is only for
 * trying the page, which says that the list is old. Lists of safe sites, and lists that do not say when they were made,
 * are never too old, either.
 */
function isOutdated({ list: { created }, from, isSafe }: PageList): boolean {
  return (
    from !== "page" &&
    !isSafe &&
    created > 0 &&
    Date.now() - created > LONGEST_CURRENT_DAYS * DAY_MS
  );
}

/** Sentences that say why the lists are not enough for a verdict. If there are any, the page says "Cannot tell". */
export function listDoubts(
  hasFailed: boolean,
  missing: readonly string[],
  isTriedUnread: boolean,
  loaded: readonly PageList[],
): readonly string[] {
  const doubts: string[] = [];
  for (const { list } of loaded.filter(isOutdated)) {
    const made = new Date(list.created).toISOString().slice(0, 10);
    doubts.push(`${list.name} is out of date: it was made on ${made}.`);
  }
  if (hasFailed) doubts.push("The built-in list failed to load, so nothing was looked up in it.");
  if (missing.length > 0) {
    const lists = missing.length === 1 ? "A list" : `${missing.length} lists`;
    doubts.push(`${lists} in this link ${missing.length === 1 ? "is" : "are"} not on this page.`);
  }
  if (isTriedUnread) doubts.push("Your list was not read, so nothing was looked up in it.");
  return doubts;
}
