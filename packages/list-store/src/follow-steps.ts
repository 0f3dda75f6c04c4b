import type { Change } from "./change.ts";
import { getChanges } from "./contents.ts";
import type { ChangeCounts } from "./differences.ts";
import { StoreError } from "./error.ts";
import {
  type Layers,
  MANIFEST_BYTES,
  REQUEST_BYTES,
  riceBytes,
  type StoredObject,
  type StoredPrefixes,
  uncounted,
} from "./layers.ts";
import type { LogEntry, Manifest, StepLink } from "./manifest.ts";
import { getObject } from "./objects.ts";
import { type StepHead, stepHead } from "./step.ts";
import type { Storage } from "./storage.ts";

/** The maximum number of bytes in a step besides the codes. */
const HEAD_BYTES = 400;

/** Readers that are more than this many versions behind do not use steps. */
const MAX_BEHIND = 2 ** 12;

/** The steps from a version to a newer one, the oldest first. */
interface StepsRead {
  readonly steps: readonly StoredObject[];
  /** The hash of the older manifest in the first step. */
  readonly first: string;
}

/**
 * The steps from version `since` to a newer one; `null` when a step is missing or damaged, or when they would take more
 * bytes than the whole list.
 *
 * If the hash in the first step is right, the steps prove that the older version is in the log of the newer one: the
 * newer manifest has the hash of the newest step, each step has the hash of the one before it, and the first step has
 * the hash of the older manifest.
 */
export async function readSteps(
  storage: Storage,
  { manifest }: LogEntry,
  since: number,
): Promise<StepsRead | null> {
  const newest = manifest.version;
  // Many short steps would take too many requests.
  if (newest - since > MAX_BEHIND) return null;
  // Without steps, a reader downloads the whole list and about as many manifests as there are steps.
  const whole = REQUEST_BYTES + riceBytes(manifest.contents.prefixes, 2 ** 32);
  const most = whole + countSteps(since, newest) * MANIFEST_BYTES;
  const steps: StoredObject[] = [];
  let [bytes, codes] = [0, 0];
  let first = "";
  let { version, steps: links = [] } = manifest;
  while (version > since) {
    const [longest] = links
      .filter(({ after }) => after >= since && after < version)
      .sort((a, b) => a.after - b.after);
    if (longest === undefined) return null;
    const { after } = longest;
    bytes += longest.bytes;
    codes += Math.max(0, longest.bytes - HEAD_BYTES);
    // The expected length of all steps, estimated from the codes read so far. Reading stops once the whole list is
    // shorter.
    const expected = bytes + codes * ((after - since) / (newest - after));
    const requests = steps.length + 1 + countSteps(since, after);
    if (requests * REQUEST_BYTES + expected > most) return null;
    const step = await readStep(storage, longest);
    if (step === null) return null;
    steps.push(step.stored);
    const { head } = step;
    first = head.manifest;
    version = after;
    links = head.steps;
  }
  return { steps: steps.reverse(), first };
}

/** A step; `null` when it is missing or damaged. There is always another way to the newest version. */
async function readStep(
  storage: Storage,
  { object, bytes: most }: StepLink,
): Promise<{ stored: StoredObject; head: StepHead } | null> {
  try {
    const stored = { object, bytes: await getObject(storage, object, most) };
    return { stored, head: stepHead(stored) };
  } catch (error) {
    if (error instanceof StoreError && (error.code === "missing" || error.code === "damaged")) {
      return null;
    }
    throw error;
  }
}

/**
 * A step that skips versions begins or ends at a multiple of this number. The longest steps begin at a multiple of its
 * square.
 */
const SPAN = 4;

/** The last multiple of a number below a version; 0 when there is none. */
const lastMultiple = (of: number, version: number) => version - 1 - ((version - 1) % of);

/**
 * The older versions from which a step leads to a version, the longest step last. With these steps, a reader gets from
 * any version to any newer one in few steps. More steps would take more room in the store than they are worth.
 */
export function stepsTo(version: number): number[] {
  const after = [version - 1, lastMultiple(SPAN, version)];
  if (version % SPAN === 0) after.push(version - SPAN + 1, lastMultiple(SPAN ** 2, version));
  if (version % SPAN ** 2 === 0) after.push(version - 2 * SPAN, version - 3 * SPAN);
  return [...new Set(after)].filter((older) => older > 0).sort((a, b) => b - a);
}

/** The number of steps that lead from a version to a newer one, if the publisher has written all of them. */
export function countSteps(older: number, newer: number): number {
  let count = 0;
  for (let version = newer; version > older; count++) {
    version = stepsTo(version).findLast((after) => after >= older)!;
  }
  return count;
}

/** The change that a version itself made; none when it was only signed again. */
function ownChange({ change }: Manifest): Change<StoredPrefixes>[] {
  if (change === null) return [];
  const { removed, removedEntries, added, addedEntries } = change;
  // Each changed prefix stands for at least one changed entry, so the entry counts are upper bounds.
  return [{ removed: uncounted(removed, removedEntries), added: uncounted(added, addedEntries) }];
}

/** The numbers of prefixes in the objects of changes. */
function countsOf(changes: readonly Change<StoredPrefixes | null>[]): ChangeCounts {
  return {
    removed: changes.reduce((sum, { removed }) => sum + (removed?.count ?? 0), 0),
    added: changes.reduce((sum, { added }) => sum + (added?.count ?? 0), 0),
  };
}

interface NewestVersion {
  readonly entry: LogEntry;
  readonly layers: Layers;
}

/**
 * Reads the changes between two versions, the newest first; `null` when `isTooMuch` returns `true` for the changes
 * found so far. Servers and publishers join these changes, not steps. Clients refuse a difference that removes and adds
 * the same prefix, and steps do not show such prefixes, because their removals are indices.
 *
 * The layers of the newest version that begin at or after `since` are joined changes. From the version before them back
 * to `since`, each version's own change is read. The changes need not be trusted: if the resulting list does not have
 * the signed checksum, it is refused.
 *
 * @throws {StoreError} `missing` when garbage collection has deleted a change.
 */
export async function readChangesSince(
  storage: Storage,
  { entry, layers }: NewestVersion,
  since: number,
  entryOf: (version: number) => Promise<LogEntry>,
  isTooMuch: (counts: ChangeCounts) => boolean,
): Promise<Change<StoredObject | null>[] | null> {
  const usable = layers.layers.filter(({ after }) => after >= since);
  const changes: Change<StoredPrefixes | null>[] = usable.toReversed();
  let version = usable[0]?.after ?? entry.manifest.version;
  while (version > since && !isTooMuch(countsOf(changes))) {
    const { manifest } = await entryOf(version);
    // Later versions with the same prefixes did not change them, so only the change of the first of these versions is
    // read.
    const first = manifest.contents.since;
    if (first < version) version = Math.max(first, since);
    else {
      changes.push(...ownChange(manifest));
      version--;
    }
  }
  return isTooMuch(countsOf(changes)) ? null : getChanges(storage, changes);
}
