import type { StoredObject } from "../contents/stored-prefixes.ts";
import { StoreError } from "../error.ts";
import { checkNoGap, readEntry, readHint } from "../log-files.ts";
import { readNext } from "../read-log.ts";
import type { Storage } from "../storage.ts";
import { remembering } from "../storage.ts";
import {
  checkSame,
  LINK_BASE,
  signedBy,
  type TrustedLog,
  type TrustOptions,
} from "../trusted-log.ts";
import { readSteps } from "./choose-steps-or-whole-list.ts";

/**
 * Skips to a version as far ahead as hashes allow, up to version `most`. Returns `false` when the next version has to
 * be read instead.
 */
async function skipAhead(storage: Storage, log: TrustedLog, most: number): Promise<boolean> {
  const { list, version } = log.newest.manifest;
  let step = 1;
  while (version % (step * LINK_BASE) === 0 && version + step < most) step *= LINK_BASE;
  for (; step > 1; step /= LINK_BASE) {
    const entry = await readEntry(storage, list, Math.min(version + step, most));
    if (entry !== null && (await log.skipTo(entry))) return true;
  }
  return false;
}

/**
 * Follows steps to the newest version. The steps prove that its log contains the newest trusted entry. Returns `null`
 * when steps cannot be used. The entry that the hint names must be signed by a key that the newest trusted entry names.
 */
async function followSteps(
  storage: Storage,
  log: TrustedLog,
  hint: number,
  options: TrustOptions,
): Promise<readonly StoredObject[] | null> {
  const { list, version, nextSigners } = log.newest.manifest;
  if (hint <= version) return null;
  const hinted = await readEntry(storage, list, hint);
  const later = hinted && (await signedBy(nextSigners, hinted, options));
  if (later === null) return null;
  while (await readNext(storage, later));
  const read = await readSteps(storage, later.newest, version);
  if (read === null) return null;
  log.continueAs(later, read.first);
  return read.steps;
}

/**
 * Brings a log to the newest version. Returns the steps from the entry that was its newest one, or `null` when no steps
 * were used. Without steps, that entry must still be in the storage.
 */
export async function followLog(
  files: Storage,
  log: TrustedLog,
  options: TrustOptions,
): Promise<readonly StoredObject[] | null> {
  const storage = remembering(files);
  const { hash, manifest } = log.newest;
  const { list, version } = manifest;
  const hint = await readHint(storage, list);
  const steps = await followSteps(storage, log, hint, options);
  if (steps !== null) return steps;
  const still = await readEntry(storage, list, version);
  if (still === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} was rolled back: version ${version} is gone`,
    );
  }
  checkSame(still, { version, hash });
  while ((await skipAhead(storage, log, hint)) || (await readNext(storage, log)));
  await checkNoGap(storage, log.newest, hint);
  return null;
}
