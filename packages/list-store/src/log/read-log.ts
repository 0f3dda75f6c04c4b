import { StoreError } from "../error.ts";
import type { Sha256 } from "../objects.ts";
import { remembering } from "../storage/remembering.ts";
import type { Storage } from "../storage/storage.ts";
import { LINK_BASE, type LogEntry } from "./entry.ts";
import { checkNoGap, findNewest, readEntry, readHint } from "./log-files.ts";
import { isSignedByOne, type Verify } from "./signed-note.ts";
import {
  checkLink,
  checkSame,
  linkBack,
  type SeenVersion,
  signedBy,
  type TrustedLog,
  type TrustOptions,
} from "./trusted-log.ts";

/** A list in a storage, and the keys that its readers trust. */
export interface StoredList {
  readonly storage: Storage;
  readonly list: string;
  /** The newest version must be signed with one of these keys. */
  readonly publicKeys: readonly string[];
  /** A version seen before, which the log must contain. */
  readonly seen?: SeenVersion | null | undefined;
  /** The time, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /** Computes SHA-256 synchronously, if the platform does that faster than JavaScript. */
  readonly sha256?: Sha256 | undefined;
}

/**
 * Begins to trust a list's log at its newest entry; `null` when the list has none.
 *
 * The entry is signed by one of the public keys, and its log contains the version seen before. Expiry is not checked.
 */
export async function openLog(stored: StoredList): Promise<TrustedLog | null> {
  const { storage, list, publicKeys, seen = null, verify } = stored;
  const newest = await findNewest(storage, list, seen?.version ?? 0);
  const version = newest?.manifest.version ?? 0;
  if (seen !== null && version < seen.version) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} was rolled back: it is at version ${version}, but version ${seen.version} was seen before`,
    );
  }
  if (newest === null) return null;
  const log = await signedBy(publicKeys, newest, { verify });
  if (log === null) {
    throw new StoreError(
      "wrongly-signed",
      `Version ${version} of ${list} is not signed by a trusted key: trust its publisher's public key (--public-key), or restore the store from a good copy`,
    );
  }
  if (seen !== null) await checkSeen(storage, log, seen);
  return log;
}

/**
 * The newest entry of a list's log; `null` when the list has none.
 *
 * It is signed by one of the public keys, and its log contains the version seen before. Expiry is not checked.
 */
export async function readNewest(stored: StoredList): Promise<LogEntry | null> {
  return (await openLog(stored))?.newest ?? null;
}

/**
 * The public keys that the newest version of a list names, one of which has signed it; `null` when the list has no
 * version.
 *
 * For readers that trust a list's publisher on first use. Nothing proves whose keys they are.
 *
 * @throws {StoreError} `wrongly-signed` when the version is signed by none of the keys that it names.
 */
export async function readUnprovenKeys({
  storage,
  list,
  verify,
}: Pick<StoredList, "storage" | "list" | "verify">): Promise<readonly string[] | null> {
  const newest = await findNewest(storage, list, 0);
  if (newest === null) return null;
  const { version, nextSigners } = newest.manifest;
  if (await isSignedByOne(newest.note, nextSigners, verify)) return nextSigners;
  throw new StoreError(
    "wrongly-signed",
    `Version ${version} of ${list} is not signed by a key that it names`,
  );
}

/** The previous entry, verified by its hash in this one; `null` for version 1. */
export async function readPrevious(
  storage: Storage,
  entry: Pick<LogEntry, "manifest">,
): Promise<LogEntry | null> {
  const { list, version, previous } = entry.manifest;
  if (previous === null) return null;
  const link = { manifest: entry.manifest, version: version - 1, hash: previous };
  return checkLink(link, await readEntry(storage, list, version - 1));
}

/**
 * The entry of an older version. Trusted entries have the hashes of those that are read on the way; versions in between
 * are skipped where possible.
 */
export async function readOlder(
  storage: Storage,
  log: TrustedLog,
  version: number,
): Promise<LogEntry> {
  let link = log.wayBack(version);
  while (link !== null) {
    const entry = await readEntry(storage, link.manifest.list, link.version);
    const { manifest } = log.prepend(link, entry);
    link = manifest.version === version ? null : linkBack(manifest, version);
  }
  return log.entries.get(version)!;
}

/** Throws unless the log contains a version seen before, which is not newer. */
export async function checkSeen(
  storage: Storage,
  log: TrustedLog,
  seen: SeenVersion,
): Promise<void> {
  checkSame(await readOlder(storage, log, seen.version), seen);
}

/** Trusts the next version, if there is one. Returns whether there was. */
export async function readNext(storage: Storage, log: TrustedLog): Promise<boolean> {
  const { list, version } = log.newest.manifest;
  const next = await readEntry(storage, list, version + 1);
  if (next !== null) await log.append(next);
  return next !== null;
}

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

/** Reads steps from a version to a newer one. `first` is the hash of the older manifest in the first step. */
export type ReadSteps<Steps> = (
  newest: LogEntry,
  since: number,
) => Promise<{ readonly first: string; readonly steps: Steps } | null>;

/**
 * Goes to the newest version by steps, which prove that its log contains this one; `null` when another way is needed.
 * The entry that the hint names must be signed by a key that the newest trusted entry names.
 */
async function followSteps<Steps>(
  storage: Storage,
  log: TrustedLog,
  hint: number,
  readSteps: ReadSteps<Steps>,
  options: TrustOptions,
): Promise<Steps | null> {
  const { list, version, nextSigners } = log.newest.manifest;
  if (hint <= version) return null;
  const hinted = await readEntry(storage, list, hint);
  const later = hinted && (await signedBy(nextSigners, hinted, options));
  if (later === null) return null;
  while (await readNext(storage, later));
  const read = await readSteps(later.newest, version);
  if (read === null) return null;
  log.continueAs(later, read.first);
  return read.steps;
}

/**
 * Brings a log to the newest version. Its newest entry must still be in the storage. Returns the steps since then;
 * `null` when they were not read.
 */
export async function followLog<Steps>(
  files: Storage,
  log: TrustedLog,
  readSteps: ReadSteps<Steps>,
  options: TrustOptions,
): Promise<Steps | null> {
  const storage = remembering(files);
  const { hash, manifest } = log.newest;
  const { list, version } = manifest;
  const hint = await readHint(storage, list);
  const steps = await followSteps(storage, log, hint, readSteps, options);
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
