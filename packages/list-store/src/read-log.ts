import { StoreError } from "./error.ts";
import { findNewest, type NewestOptions, readEntry } from "./log-files.ts";
import type { LogEntry } from "./manifest.ts";
import type { Verify } from "./signed-note.ts";
import type { Sha256, Storage } from "./storage.ts";
import {
  checkHash,
  checkLink,
  checkSame,
  linkBack,
  type SeenVersion,
  signedBy,
  signedByItself,
  type TrustedLog,
} from "./trusted-log.ts";

/** A list in a storage, and the keys that its readers trust. */
export interface StoredList {
  readonly storage: Storage;
  readonly list: string;
  /** The newest version must be signed with one of these keys. */
  readonly publicKeys: readonly string[];
  /** A version seen before, which the log must contain, so that older copies of the store are refused. */
  readonly seen?: SeenVersion | null | undefined;
  /** The time, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /**
   * Computes SHA-256 synchronously, for example with `node:crypto`; by default, a slower JavaScript implementation
   * does.
   */
  readonly sha256?: Sha256 | undefined;
}

/**
 * Opens the log of a list at its newest entry; `null` when the list has none.
 *
 * The newest entry must be signed with one of the public keys, and the log must contain the version seen before. Expiry
 * is not checked.
 *
 * @param trustsHint see {@link NewestOptions}. Publishers and garbage collection must not.
 */
export async function openLog(stored: StoredList, trustsHint = false): Promise<TrustedLog | null> {
  const { storage, list, publicKeys, seen = null, verify } = stored;
  const atLeast = seen?.version ?? 0;
  const newest = await findNewest(storage, list, { atLeast, trustsHint });
  const version = newest?.manifest.version ?? 0;
  if (seen?.retired && newest === null) {
    throw new StoreError(
      "retired",
      `The list ${list} was retired in version ${seen.version}, and its files are gone: publish new entries as a list with another name`,
    );
  }
  if (seen !== null && newest === null) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} has no files, but version ${seen.version} was seen before: restore them, and if the list is retired, keep them until all copies and servers have seen that`,
    );
  }
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
      `Version ${version} of ${list} is not signed by a trusted key: trust its publisher's public key, or restore the store from a good copy`,
    );
  }
  if (seen !== null) await checkSeen(storage, log, seen);
  return log;
}

/**
 * The newest entry of a list's log; `null` when the list has none.
 *
 * The entry must be signed with one of the public keys (`wrongly-signed`), and the log must contain the version seen
 * before (`rolled-back`, `forked`). Expiry is not checked.
 */
export async function readNewest(stored: StoredList): Promise<LogEntry | null> {
  return (await openLog(stored))?.newest ?? null;
}

/**
 * The public keys that the newest version of a list names, one of which has signed it; `null` when the list has no
 * version.
 *
 * This function is for readers that trust a list's publisher on first use. Nothing proves whose keys these are.
 *
 * @throws {StoreError} `wrongly-signed` when the version is signed by none of the keys that it names.
 */
export async function readUnprovenKeys({
  storage,
  list,
  verify,
}: Pick<StoredList, "storage" | "list" | "verify">): Promise<readonly string[] | null> {
  const newest = await findNewest(storage, list, { trustsHint: true });
  if (newest === null) return null;
  return (await signedByItself(newest, { verify })).newest.manifest.nextSigners;
}

/**
 * The entry before a given one, verified by the hash in the given one; `null` for the first version in this format.
 *
 * @example
 * ```ts
 * import { generateSigningKey, memoryStorage, publish, readNewest, readPrevious, signerOf } from "@x/list-store";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const signer = await signerOf(await generateSigningKey("example.org"));
 * const stored = { storage: memoryStorage(), list: "malware", publicKeys: [signer.publicKey] };
 * for (const text of ["a.example/", "b.example/"]) {
 *   await publish({ ...stored, fullHashes: [fullHash(text)], signer, lifetime: 86_400_000 });
 * }
 * const log = [];
 * for (let entry = await readNewest(stored); entry !== null; entry = await readPrevious(stored.storage, entry)) {
 *   const { version, change } = entry.manifest;
 *   log.push(`v${version} +${change.addedEntries} -${change.removedEntries}`);
 * }
 * log; // → ["v2 +1 -1", "v1 +1 -0"]
 * ```
 */
export async function readPrevious(
  storage: Storage,
  entry: Pick<LogEntry, "manifest">,
): Promise<LogEntry | null> {
  const { list, version, first, previous } = entry.manifest;
  if (version === first || previous === null) return null;
  const link = { manifest: entry.manifest, version: version - 1, hash: previous };
  return checkLink(link, await readEntry(storage, list, version - 1));
}

/**
 * The entry of an older version. Each entry that is read on the way is verified by its hash in a trusted entry.
 * Versions in between are skipped where possible.
 */
export async function readOlder(
  storage: Storage,
  log: TrustedLog,
  version: number,
): Promise<LogEntry> {
  const { list, first } = log.newest.manifest;
  if (version < first) {
    throw new StoreError(
      "older-format",
      `Version ${version} of ${list} is in an older format: the store was upgraded in version ${first}`,
    );
  }
  let link = log.wayBack(version);
  while (link !== null) {
    const entry = await readEntry(storage, link.manifest.list, link.version);
    const { manifest } = log.prepend(link, entry);
    link = manifest.version === version ? null : linkBack(manifest, version);
  }
  return log.entries.get(version)!;
}

/** Throws unless the log contains a version seen before, which must not be newer than the newest one. */
export async function checkSeen(
  storage: Storage,
  log: TrustedLog,
  seen: SeenVersion,
): Promise<void> {
  const { first } = log.newest.manifest;
  const entry = await readOlder(storage, log, Math.max(seen.version, first));
  if (seen.version >= first) checkSame(entry, seen);
  // The first version in this format has the hash of the one before it. Versions before that one are not read.
  else if (seen.version === first - 1)
    checkHash(entry.manifest.list, entry.manifest.previous, seen);
}

/** Reads and trusts the next version. Returns `false` if there is none. */
export async function readNext(storage: Storage, log: TrustedLog): Promise<boolean> {
  const { list, version } = log.newest.manifest;
  const next = await readEntry(storage, list, version + 1);
  if (next !== null) await log.append(next);
  return next !== null;
}
