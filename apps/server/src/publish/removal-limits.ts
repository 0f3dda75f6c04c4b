import { counted, formatCount } from "@x/explain/counted";

/** How much of a list a new version may remove, as a share of the list or as a number of entries. */
export type RemovalLimit = { readonly share: number } | { readonly entries: number };

export interface RemovalLimits {
  /** The limit for lists without their own, or `null` if there is none. */
  readonly others: RemovalLimit | null;
  readonly lists: ReadonlyMap<string, RemovalLimit>;
}

/** Shares do not apply to lists of at most this many entries, where a single entry may be a large share. */
const SMALL_LIST = 100;
const TENTH: RemovalLimit = { share: 0.1 };

/** Reads one limit, such as `20%` or `300`. Returns `null` if it is not valid. */
export function parseRemovalLimit(text: string): RemovalLimit | null {
  const [, number, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (number === undefined) return null;
  if (percent === "") return { entries: Number(number) };
  return Number(number) <= 100 ? { share: Number(number) / 100 } : null;
}

/** Reads limits such as `20%,feed=50%,intranet=3`. Returns `null` if they are not valid. */
export function parseRemovalLimits(text: string): RemovalLimits | null {
  let others: RemovalLimit | null = null;
  const lists = new Map<string, RemovalLimit>();
  for (const each of text.split(",")) {
    const [, list, value = ""] = /^(?:([a-z0-9-]+)=)?(.*)$/.exec(each) ?? [];
    const limit = parseRemovalLimit(value);
    if (limit === null) return null;
    if (list === undefined) others = limit;
    else lists.set(list, limit);
  }
  return { others, lists };
}

/** Returns the limit of a list: its own limit, the one for all other lists, or a tenth. */
export function limitOf({ others, lists }: RemovalLimits, list: string): RemovalLimit {
  return lists.get(list) ?? others ?? TENTH;
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
