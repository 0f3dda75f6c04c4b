import { counted, formatCount } from "@x/explain/counted";

/** How much of a list a new version may remove, as a share of the list or as a number of entries. */
export type RemovalLimit = { readonly share: number } | { readonly entries: number };

/** Shares do not apply to lists of at most this many entries, where a single entry may be a large share. */
const SMALL_LIST = 100;

/** Reads one limit, such as `20%` or `300`. Returns `null` if it is not valid. */
export function parseRemovalLimit(text: string): RemovalLimit | null {
  const [, number, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (number === undefined) return null;
  if (percent === "") return { entries: Number(number) };
  return Number(number) <= 100 ? { share: Number(number) / 100 } : null;
}

/** Returns how many of a list's entries a new version may remove. */
export function mostRemoved(limit: RemovalLimit, entries: number): number {
  if ("entries" in limit) return limit.entries;
  return entries <= SMALL_LIST ? entries : Math.floor(limit.share * entries);
}

/** How a new version would shorten a list, in numbers of entries. */
export interface Shrinking {
  readonly before: number;
  readonly removed: number;
  readonly after: number;
  /** The most entries that the list had in the time that `when` describes. */
  readonly longest: number;
  readonly when: string;
}

const entriesOf = (count: number) => counted(count, "entry", "entries");

/** Says why a new version removes too much of a list. Returns `null` if it does not. */
export function removalProblem(
  limit: RemovalLimit,
  { before, removed, after, longest, when }: Shrinking,
): string | null {
  const most = mostRemoved(limit, before);
  if (removed > most) {
    return `${formatCount(removed)} of ${entriesOf(before)} would be removed; at most ${formatCount(most)} may be`;
  }
  const mostOfDay = mostRemoved(limit, longest);
  if (longest - after <= mostOfDay) return null;
  return `it had ${entriesOf(longest)} ${when}, and would have ${formatCount(after)}; at most ${formatCount(mostOfDay)} may go`;
}

/** Whether a list may lose all of its entries, however many it has. */
export function allowsEmpty(limit: RemovalLimit): boolean {
  return "share" in limit && limit.share === 1;
}
