import { type Change, lengthOfChange } from "./change.ts";
import { joinChanges } from "./difference.ts";
import { StoreError } from "./error.ts";
import { readChangesSince, stepsTo } from "./follow-steps.ts";
import type { Layers } from "./layers.ts";
import type { LogEntry, StepLink } from "./manifest.ts";
import type { Sha256 } from "./objects.ts";
import { readOlder } from "./read-log.ts";
import { encodeStep } from "./step.ts";
import { remembering, type Storage } from "./storage.ts";
import { trustedBefore } from "./trusted-log.ts";
import { NO_WORDS, type PrefixWords } from "./words.ts";

type Write = (bytes: Uint8Array) => Promise<string>;

const NO_CHANGE: Change<PrefixWords> = { removed: NO_WORDS, added: NO_WORDS };

async function writeStep(
  write: Write,
  { manifest: { version, steps = [] }, hash }: LogEntry,
  to: PrefixWords,
  change: Change<PrefixWords>,
): Promise<StepLink> {
  const bytes = encodeStep({ manifest: hash, steps }, to, change);
  return { after: version, object: await write(bytes), bytes: bytes.length };
}

/**
 * Returns the steps to a version that is only signed again. The function writes an empty step from the previous
 * version, and reuses steps that lead to the previous version.
 */
export async function writeSameSteps(write: Write, before: LogEntry): Promise<StepLink[]> {
  const { version, steps = [] } = before.manifest;
  const wanted = stepsTo(version + 1);
  const same = steps.filter(({ after }) => wanted.includes(after));
  return [await writeStep(write, before, NO_WORDS, NO_CHANGE), ...same];
}

/** The version that steps lead to. */
interface Target {
  readonly before: LogEntry;
  /** The layers of the previous version. */
  readonly layers: Layers;
  /** The prefixes of the next version. */
  readonly words: PrefixWords;
  /** The change from the previous version to the next one. */
  readonly change: Change<PrefixWords>;
}

/** Writes the steps to the next version. The steps are joined from stored changes, so older lists are not needed. */
export async function writeSteps(
  storage: Storage,
  write: Write,
  { before, layers, words, change }: Target,
  sha256?: Sha256,
): Promise<StepLink[]> {
  const { version } = before.manifest;
  const known = remembering(storage);
  const links: StepLink[] = [];
  const log = trustedBefore(before);
  const entryOf = (older: number) => readOlder(known, log, older);
  for (const after of stepsTo(version + 1)) {
    let whole = change;
    let from = before;
    if (after < version) {
      try {
        from = await entryOf(after);
        const newest = { entry: before, layers };
        const older = await readChangesSince(
          ...([known, newest, after, entryOf] as const),
          ({ removed, added }) => 2 * (removed + added + lengthOfChange(change)) > words.length,
        );
        if (older === null) break;
        whole = joinChanges([change, ...older], sha256);
      } catch (error) {
        // For example, garbage collection has deleted objects that this step needs. Readers can do without longer
        // steps.
        if (error instanceof StoreError) break;
        throw error;
      }
    }
    links.push(await writeStep(write, from, words, whole));
  }
  return links;
}
