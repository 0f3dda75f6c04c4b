import { StoreError } from "../error.ts";
import { type LogEntry, linkTo, missingVersion } from "./entry.ts";
import type { Manifest } from "./manifest.ts";
import { isSignedByOne, type Verify } from "./signed-note.ts";

/*
 * What is trusted of a list's log. Publishers, readers and copies all use it. Each function that trusts another entry
 * states the rule by which it does so, and throws or returns `false` when the entry breaks it. Nothing here reads or
 * writes.
 */

/** A version that was seen before: the log must still contain it. */
export interface SeenVersion {
  readonly version: number;
  readonly hash: string;
}

/** The trusted entries of a list's log. */
export interface TrustedLog {
  readonly newest: LogEntry;
  /** By version. */
  readonly entries: ReadonlyMap<number, LogEntry>;
  /**
   * Trusts the version after the newest one: it has the newest one's hash, and is signed by a key that the newest one
   * names. If it has the hash of an older trusted entry, that hash is right.
   *
   * @throws {StoreError} `forked` or `wrongly-signed`.
   */
  append(entry: LogEntry): Promise<void>;
  /**
   * Trusts a later version without those in between: it has the newest one's hash, and is signed by a key that the
   * newest one names. So the holder of that key vouches for all versions in between. Returns `false` when the entry
   * has no such hash, or the keys changed in between.
   *
   * @throws {StoreError} `forked` when it has another hash.
   */
  skipTo(entry: LogEntry): Promise<boolean>;
  /**
   * Trusts an older version: a trusted entry has its hash. `null` stands for an entry that does not exist.
   *
   * @throws {StoreError} `missing` or `forked`.
   */
  prepend(link: HashLink, entry: LogEntry | null): LogEntry;
  /**
   * The link from which the way back to a version begins, for {@link TrustedLog.prepend}; `null` when the version is
   * trusted already.
   */
  wayBack(version: number): HashLink | null;
  /**
   * Goes on from the newest entry of a later log. The steps that end there name the hash of the version that is the
   * newest one here, and this hash is right.
   *
   * @throws {StoreError} `forked`.
   */
  continueAs(later: TrustedLog, hash: string): void;
}

/** The hash of an older version in a trusted manifest. */
export interface HashLink {
  readonly manifest: Manifest;
  readonly version: number;
  readonly hash: string;
}

export interface TrustOptions {
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /** Entries that are already trusted, besides the newest one. */
  readonly known?: ReadonlyMap<number, LogEntry> | undefined;
  /** How many entries stay in memory; the others have to be trusted again when they are needed. */
  readonly most?: number | undefined;
}

/** How many entries of the log stay in memory as it grows. */
const MOST = 1000;

/** Trusts the entry that a log begins with, because a key that its reader trusts has signed it. */
export async function signedBy(
  publicKeys: readonly string[],
  entry: LogEntry,
  options: TrustOptions = {},
): Promise<TrustedLog | null> {
  const isSigned = await isSignedByOne(entry.note, publicKeys, options.verify);
  return isSigned ? trustedBefore(entry, options) : null;
}

/**
 * Trusts the entry that a log begins with, because a key that it names itself has signed it. Nothing proves whose key
 * that is.
 *
 * @throws {StoreError} `wrongly-signed`.
 */
export async function signedByItself(
  entry: LogEntry,
  options: TrustOptions = {},
): Promise<TrustedLog> {
  const { list, version, nextSigners } = entry.manifest;
  const log = await signedBy(nextSigners, entry, options);
  if (log !== null) return log;
  throw new StoreError(
    "wrongly-signed",
    `Version ${version} of ${list} is not signed by a key that it names`,
  );
}

/** Throws unless an entry is the version after the newest one, and signed by a key that the newest one names. */
async function checkNext(newest: LogEntry, entry: LogEntry, verify?: Verify): Promise<void> {
  const { list, version, nextSigners } = newest.manifest;
  const isNext = entry.manifest.version === version + 1;
  if (!isNext || entry.manifest.previous !== newest.hash) {
    throw new StoreError(
      "forked",
      `Version ${version + 1} of ${list} does not follow version ${version}`,
    );
  }
  if (await isSignedByOne(entry.note, nextSigners, verify)) return;
  throw new StoreError(
    "wrongly-signed",
    `Version ${version + 1} of ${list} is not signed by a key that version ${version} names`,
  );
}

/** Throws when a manifest has the hash of another entry than the trusted one. */
function checkLinks(
  { list, version, earlier = {} }: Manifest,
  entries: ReadonlyMap<number, LogEntry>,
): void {
  for (const [older, hash] of Object.entries(earlier)) {
    if ((entries.get(Number(older))?.hash ?? hash) === hash) continue;
    throw new StoreError(
      "forked",
      `Version ${version} of ${list} has the hash of another version ${older}`,
    );
  }
}

function notFollowing(newest: LogEntry, { manifest }: LogEntry): StoreError {
  const { list, version } = newest.manifest;
  return new StoreError(
    "forked",
    `Version ${manifest.version} of ${list} does not follow version ${version} that was seen before`,
  );
}

/** Trusts an entry that was trusted before, and that its reader has kept. */
export function trustedBefore(
  entry: LogEntry,
  { verify, known = new Map(), most = MOST }: TrustOptions = {},
): TrustedLog {
  let newest = entry;
  let entries = new Map([...known].slice(-most + 1));
  entries.set(newest.manifest.version, newest);

  function trust(entry: LogEntry): void {
    newest = entry;
    entries.set(entry.manifest.version, entry);
    if (entries.size > most) entries.delete(entries.keys().next().value!);
  }

  return {
    get newest() {
      return newest;
    },
    get entries() {
      return entries;
    },

    async append(entry) {
      await checkNext(newest, entry, verify);
      checkLinks(entry.manifest, entries);
      trust(entry);
    },

    async skipTo(entry) {
      const { version, nextSigners } = newest.manifest;
      const hash = linkTo(entry.manifest, version);
      if (hash === undefined) return false;
      if (hash !== newest.hash) throw notFollowing(newest, entry);
      if (!(await isSignedByOne(entry.note, nextSigners, verify))) return false;
      trust(entry);
      return true;
    },

    prepend(link, entry) {
      const older = checkLink(link, entry);
      entries.set(link.version, older);
      return older;
    },

    wayBack(version) {
      let nearest = version;
      while (nearest < newest.manifest.version && !entries.has(nearest)) nearest++;
      const from = entries.get(nearest) ?? newest;
      return nearest === version ? null : linkBack(from.manifest, version);
    },

    continueAs(later, hash) {
      if (hash !== newest.hash) throw notFollowing(newest, later.newest);
      newest = later.newest;
      entries = new Map([...entries, ...later.entries].slice(-most));
    },
  };
}

/** The hash of the oldest version at or after `version` that a manifest has. */
export function linkBack(manifest: Manifest, version: number): HashLink {
  const linked = Object.keys(manifest.earlier ?? {}).map(Number);
  const older = Math.min(...linked.filter((each) => each >= version), manifest.version - 1);
  return { manifest, version: older, hash: linkTo(manifest, older)! };
}

/**
 * Returns the entry that a link leads to.
 *
 * @throws {StoreError} `missing` or `forked` when it leads to no entry, or to another one.
 */
export function checkLink({ manifest, version, hash }: HashLink, entry: LogEntry | null): LogEntry {
  const { list } = manifest;
  if (entry === null) throw missingVersion(list, version);
  if (entry.hash === hash) return entry;
  throw new StoreError(
    "forked",
    `Version ${version} of ${list} is not the one that version ${manifest.version} follows`,
  );
}

/**
 * Throws when a trusted entry is not the version that was seen before.
 *
 * @throws {StoreError} `forked`.
 */
export function checkSame({ manifest, hash }: LogEntry, seen: SeenVersion): void {
  if (hash === seen.hash) return;
  throw new StoreError(
    "forked",
    `Version ${seen.version} of ${manifest.list} is not the one that was seen before`,
  );
}
