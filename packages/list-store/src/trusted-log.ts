import { StoreError } from "./error.ts";
import { type LogEntry, type Manifest, missingVersion } from "./manifest.ts";
import { isSignedByOne, type Verify } from "./signed-note.ts";

/*
 * The rules by which publishers, readers and copies trust the entries of a list's log. Each function that trusts an
 * entry states its rule, and throws, or returns `false` or `null`, when the entry breaks that rule. No function here
 * reads or writes a storage.
 */

/** A version that was seen before. The log must still contain this version. */
export interface SeenVersion {
  readonly version: number;
  readonly hash: string;
  /** `true` when that version retired the list, which then needs no files any more. */
  readonly retired?: true | undefined;
}

/** The trusted entries of a list's log. */
export interface TrustedLog {
  readonly newest: LogEntry;
  /** The trusted entries, by version. */
  readonly entries: ReadonlyMap<number, LogEntry>;
  /**
   * Trusts the version after the newest one. The entry must have the hash of the newest one, and be signed with a key
   * that the newest one names. Hashes of older trusted versions in the entry must be right.
   *
   * @throws {StoreError} `forked`, `retired` or `wrongly-signed`.
   */
  append(entry: LogEntry): Promise<void>;
  /**
   * Trusts a later version without those in between. The entry must have the hash of the newest one, and be signed with
   * a key that the newest one names. The holder of that key vouches for all versions in between. Returns `false`
   * when the entry has no such hash, or when the keys changed in between.
   *
   * @throws {StoreError} `forked` when the entry has a different hash for the newest version.
   */
  skipTo(entry: LogEntry): Promise<boolean>;
  /**
   * Trusts an older version whose hash a trusted entry has. `null` stands for an entry that does not exist.
   *
   * @throws {StoreError} `missing` or `forked`.
   */
  prepend(link: HashLink, entry: LogEntry | null): LogEntry;
  /**
   * The first link on the way back to an older version, for {@link TrustedLog.prepend}; `null` when that version is
   * already trusted.
   */
  wayBack(version: number): HashLink | null;
  /**
   * Continues with a later log, to which blocks lead from the newest version of this one. `hash` is the hash of this
   * newest version according to the first block, and must be right.
   *
   * @throws {StoreError} `forked`.
   */
  continueAs(later: TrustedLog, hash: string): void;
}

/** The hash of an older version in a trusted manifest. */
interface HashLink {
  readonly manifest: Manifest;
  readonly version: number;
  readonly hash: string;
}

export interface TrustOptions {
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /** Entries that are already trusted, besides the newest one. */
  readonly known?: ReadonlyMap<number, LogEntry> | undefined;
  /** The number of entries that stay in memory. Others must be read and verified again when they are needed. */
  readonly most?: number | undefined;
}

/** The default number of entries that stay in memory. */
const MOST = 1000;

/** Begins a log with an entry that one of the public keys has signed; `null` when none of them has. */
export async function signedBy(
  publicKeys: readonly string[],
  entry: LogEntry,
  options: TrustOptions = {},
): Promise<TrustedLog | null> {
  const isSigned = await isSignedByOne(entry.note, publicKeys, options.verify);
  return isSigned ? trustedBefore(entry, options) : null;
}

/**
 * Begins a log with an entry that one of the keys in that entry has signed. Nothing proves whose key it is.
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

/** Throws `retired` when the newest version has retired the list, and a later one does not. */
export function checkNotRevived(newest: Manifest, later: Pick<Manifest, "retired">): void {
  if (!newest.retired || later.retired) return;
  const { list, version } = newest;
  throw new StoreError(
    "retired",
    `Version ${version} of ${list} retired the list, so it cannot have entries again: publish them as a list with another name`,
  );
}

/** Throws unless an entry is the version after the newest one, and signed by a key that the newest one names. */
async function checkNext(newest: LogEntry, entry: LogEntry, verify?: Verify): Promise<void> {
  const { list, version, nextSigners } = newest.manifest;
  checkNotRevived(newest.manifest, entry.manifest);
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

/** Throws when a manifest has a wrong hash for a trusted version. */
function checkLinks(
  { list, version, blocks }: Manifest,
  entries: ReadonlyMap<number, LogEntry>,
): void {
  for (const { after, manifest } of blocks) {
    if ((entries.get(after)?.hash ?? manifest) === manifest) continue;
    throw new StoreError(
      "forked",
      `Version ${version} of ${list} has the hash of another version ${after}`,
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

/** Begins a log with an entry that was trusted before, and that the reader has kept. */
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
      checkNotRevived(newest.manifest, entry.manifest);
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
      checkNotRevived(newest.manifest, later.newest.manifest);
      newest = later.newest;
      entries = new Map([...entries, ...later.entries].slice(-most));
    },
  };
}

/** The link to the oldest version at or after `version` whose hash is in a manifest. */
export function linkBack(manifest: Manifest, version: number): HashLink {
  const linked = manifest.blocks.map(({ after }) => after).filter((after) => after >= version);
  const older = Math.min(...linked, manifest.version - 1);
  return { manifest, version: older, hash: linkTo(manifest, older)! };
}

/**
 * Returns an entry, if it is the one that a link leads to.
 *
 * @throws {StoreError} `missing` when there is no entry, or `forked` when the entry has another hash.
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

/** Throws `forked` when a trusted entry is not the version that was seen before. */
export function checkSame({ manifest, hash }: LogEntry, seen: SeenVersion): void {
  checkHash(manifest.list, hash, seen);
}

/** Throws `forked` when the trusted hash of a version is not the one that was seen before. */
export function checkHash(list: string, hash: string | null, seen: SeenVersion): void {
  if (hash === seen.hash) return;
  throw new StoreError(
    "forked",
    `Version ${seen.version} of ${list} is not the one that was seen before`,
  );
}

/** The hash of an older manifest, if this manifest has it; otherwise `undefined`. */
function linkTo({ version, previous, blocks }: Manifest, older: number): string | undefined {
  if (older === version - 1) return previous!;
  return blocks.find(({ after }) => after === older)?.manifest;
}
