import { counted, formatCount } from "@x/explain/counted";
import { type CheckChange, type Manifest, readPrevious, type Storage } from "@x/list-store";

/** How much of a list a new version may remove, as a share of the list or as a number of entries. */
export type RemovalLimit = { readonly share: number } | { readonly entries: number };

/** Shares do not apply to lists of at most this many entries, where a single entry may be a large share. */
const SMALL_LIST = 100;
const DAY = 24 * 60 * 60 * 1000;

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
function removalProblem(
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
function allowsEmpty(limit: RemovalLimit): boolean {
  return "share" in limit && limit.share === 1;
}

/** How a new version of another server's list would change its number of entries. */
export interface ListUpdate {
  /** `null` if there is no version yet. */
  readonly before: number | null;
  readonly removed: number;
  readonly after: number;
}

/**
 * Returns a check of the new versions of one list. It throws if a version would remove too many entries of the version
 * before, would be too short compared with the longest version of the last 24 hours, or would be empty.
 *
 * @param upstream the name of the other server in the settings.
 */
export function updateCheck(
  upstream: string,
  limit: RemovalLimit,
  now: () => number,
): (update: ListUpdate) => void {
  /** The versions that were replaced in the last 24 hours. */
  let replaced: readonly { readonly entries: number; readonly at: number }[] = [];
  return ({ before, removed, after }) => {
    const time = now();
    const entries = before ?? 0;
    replaced = replaced.filter(({ at }) => at > time - DAY);
    const longest = Math.max(entries, ...replaced.map((version) => version.entries));
    const isNewlyEmpty = after === 0 && before !== 0;
    const problem =
      isNewlyEmpty && !allowsEmpty(limit)
        ? "it is empty (is its name right?)"
        : removalProblem(limit, {
            ...{ before: entries, removed, after, longest },
            when: "in the last 24 hours",
          });
    if (problem !== null) {
      const enough = isNewlyEmpty ? "100%" : Math.max(removed, longest - after);
      throw new Error(
        `${problem}; check its server; if it is right, set upstreams.${upstream}.max-removed to ${enough}, send SIGHUP, and set it back once the list is updated`,
      );
    }
    replaced = [...replaced, { entries, at: time }];
  };
}

/** Thrown when a new version would remove too much of a list. The message has two lines. */
export class TooManyRemoved extends Error {
  override readonly name = "TooManyRemoved";
}

/** Entries that ended by the settings, so that their removal needs no permission. */
export interface Expected {
  /** How many of them the new version removes. */
  readonly gone: number;
  /** When some ended in the last 24 hours, in milliseconds since 1970, and how many; the new version is the last. */
  readonly endings: readonly (readonly [at: number, entries: number])[];
}

/**
 * Returns a check that throws {@link TooManyRemoved} when a new version would remove too many entries of the newest
 * version, or would be too short compared with the longest version of the last 24 hours. Entries that ended do not
 * count.
 */
export function removalCheck(
  storage: Storage,
  limit: RemovalLimit,
  { gone, endings }: Expected = { gone: 0, endings: [] },
  now: () => number = Date.now,
): CheckChange {
  return async ({ before, fresh, removed: all }) => {
    const { list, version, contents, withdrawn } = before;
    const removed = Math.max(0, all - gone);
    if (removed === 0 && !withdrawn) return;
    const longest = await longestOfDay(storage, before, limit, endings, now());
    const after = fresh.hashes.count;
    const when = withdrawn ? "before it was withdrawn" : "in the last 24 hours";
    const problem = removalProblem(limit, {
      before: contents.fullHashes,
      removed,
      after,
      longest,
      when: endings.length === 0 ? when : `${when}, besides those that have ended`,
    });
    if (problem === null) return;
    throw new TooManyRemoved(
      `${list}: ${problem}, so version ${version} stays in use
${list}: check the sources; if they are right, publish once with --set lists.${list}.max-removed=${Math.max(removed, longest - after)}`,
    );
  };
}

/** The versions that were in use during the last 24 hours, or before a withdrawal, oldest first. */
async function versionsOfDay(storage: Storage, newest: Manifest, now: number): Promise<Manifest[]> {
  const versions: Manifest[] = [];
  for (let manifest: Manifest | undefined = newest; manifest !== undefined; ) {
    if (!manifest.withdrawn) {
      versions.push(manifest);
      if (manifest.issued <= now - DAY) break;
    }
    manifest = (await readPrevious(storage, { manifest }))?.manifest;
  }
  return versions.reverse();
}

/**
 * Returns the number of entries in the longest version of the last 24 hours, or of the last version before the list was
 * withdrawn, without the entries that have ended since. When the operator has allowed a shorter version since, the
 * versions before that one do not count. Rollbacks and versions that exceed the limits must have been allowed by the
 * operator.
 */
async function longestOfDay(
  storage: Storage,
  newest: Manifest,
  limit: RemovalLimit,
  endings: Expected["endings"],
  now: number,
): Promise<number> {
  let longest = 0;
  let before = 0;
  const endedSince = (time: number) =>
    endings.reduce((sum, [at, count]) => sum + (at > time ? count : 0), 0);
  let endedBefore = Number.POSITIVE_INFINITY;
  for (const { contents, change, restores, issued } of await versionsOfDay(storage, newest, now)) {
    const ended = endedSince(issued);
    const entries = Math.max(0, contents.fullHashes - ended);
    const removed = Math.max(0, (change?.removedEntries ?? 0) - (endedBefore - ended));
    endedBefore = ended;
    const isAllowed =
      restores !== undefined ||
      removed > mostRemoved(limit, before) ||
      longest - entries > mostRemoved(limit, longest);
    longest = isAllowed ? entries : Math.max(longest, entries);
    before = entries;
  }
  return longest;
}
