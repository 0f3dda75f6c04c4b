import { MANIFEST_BYTES, REQUEST_BYTES, riceBytes } from "../contents/download-costs.ts";
import { type StepHead, stepHead } from "../contents/step.ts";
import type { StoredObject } from "../contents/stored-prefixes.ts";
import { StoreError } from "../error.ts";
import type { LogEntry, StepLink } from "../manifest.ts";
import { getObject } from "../objects.ts";
import type { Storage } from "../storage.ts";
import { countSteps } from "./which-steps-exist.ts";

/** The maximum number of bytes in a step besides the codes. */
const HEAD_BYTES = 400;

/** Readers that are more than this many versions behind do not use steps. */
const MAX_BEHIND = 2 ** 12;

/** The steps from a version to a newer one, the oldest first. */
export interface StepsRead {
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
