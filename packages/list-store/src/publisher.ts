import { addContents } from "./contents.ts";
import { StoreError } from "./error.ts";
import { listNames, readEntry } from "./log-files.ts";
import type { Manifest } from "./manifest.ts";
import { type About, formatManifest, isAbout, type LogEntry, parseEntry } from "./manifest.ts";
import { cleanAlone, markPublisher, type PublisherMark, removeMark } from "./marks.ts";
import type { StoredList } from "./read-log.ts";
import { type Signer, signNote } from "./signed-note.ts";
import {
  checkListName,
  hashOf,
  objectKey,
  parseVersion,
  type Storage,
  versionsFolder,
} from "./storage.ts";
import { signedByItself, type TrustedLog } from "./trusted-log.ts";

/**
 * The list to publish to and the key to sign with. The manifest names `publicKeys`, one of which must sign the version
 * after it.
 */
export interface Renewal extends StoredList {
  readonly signer: Signer;
  /** The time for which the new version is valid, in milliseconds. */
  readonly lifetime: number;
  /** Signs an unchanged list again when its newest version expires within this many milliseconds. */
  readonly renewWithin?: number;
  /**
   * Whether to publish even if the newest version was signed in the future according to `now`. Use this option if the
   * clock of the previous publisher was wrong and yours is right.
   */
  readonly trustsClock?: boolean;
  /** What versions say about the list; `null` for nothing. By default, that stays as it is. */
  readonly about?: About | null | undefined;
  /** Whether to only compute the next version, without writing anything. */
  readonly dryRun?: boolean;
}

/** Progress is not shown when only a few objects are written. */
export const NOT_SHOWN = (): void => {};

/** Throws when the name of the list, the signing key or the lifetime is not valid. */
export function checkRenewal({ list, signer, publicKeys, lifetime, about }: Renewal): void {
  checkListName(list);
  if (about && !isAbout(about)) {
    throw new StoreError(
      "invalid",
      "A reason and a contact have one line of at most 1,000 characters",
    );
  }
  if (!publicKeys.includes(signer.publicKey)) {
    throw new StoreError("invalid", "The signing key does not belong to one of the public keys");
  }
  if (lifetime > 0 && Number.isFinite(lifetime)) return;
  throw new RangeError(`The lifetime ${lifetime} is not a positive number of milliseconds`);
}

/** Throws when readers would refuse the next version, because the newest one does not allow this key to sign it. */
export function checkSigner(
  { list, version, nextSigners }: Pick<Manifest, "list" | "version" | "nextSigners">,
  { publicKey }: Signer,
): void {
  if (nextSigners.includes(publicKey)) return;
  throw new StoreError(
    "wrongly-signed",
    `Version ${version} of ${list} does not name this signing key, so readers would refuse what it signs: sign with a key that version ${version} names, such as the one that was in use then`,
  );
}

/** Signs the next version, and verifies it by the rules that readers follow. */
export async function signNext(
  { list, signer, verify }: Renewal,
  log: TrustedLog | null,
  manifest: Manifest,
): Promise<LogEntry> {
  const note = await signNote(formatManifest(manifest), signer);
  const entry = await parseEntry(note, list, manifest.version);
  if (log === null) await signedByItself(entry, { verify });
  else await log.append(entry);
  return entry;
}

/** Runs a publisher. If it fails, the objects that it created are deleted, or left to garbage collection. */
export async function runPublisher<Result>(
  { storage, now = Date.now, dryRun = false }: Renewal,
  onWritten: (count: number) => void,
  run: (write: WriteObject) => Promise<Result>,
): Promise<Result> {
  const { write, created } = objectWriter(storage, dryRun, onWritten);
  if (dryRun) return run(write);
  const mark = await markPublisher(storage);
  try {
    checkStorageClock(mark.begun, now());
    return await run(write);
  } catch (error) {
    await deleteCreated(storage, mark, created).catch(() => {});
    throw error;
  } finally {
    await removeMark(storage, mark.name);
  }
}

/** The maximum difference between the clocks of publishers and of the storage, in milliseconds. */
const MAX_APART = 60 * 60 * 1000;

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * Throws when the clocks of this machine and of the storage are more than an hour apart, because one of them must be
 * wrong.
 */
function checkStorageClock(storageTime: number | null, now: number): void {
  if (storageTime === null || Math.abs(storageTime - now) <= MAX_APART) return;
  throw new StoreError(
    "wrong-clock",
    `The clock of this machine says ${timeOf(now)}, but the storage wrote a file at ${timeOf(storageTime)}: set the clock that is wrong`,
  );
}

type Signed = Pick<Manifest, "list" | "version" | "issued">;

/** Whether a version was signed so far in the future that its time is wrong. */
function isFromFuture({ issued }: Signed, now: number): boolean {
  return issued - now > MAX_APART;
}

/**
 * Throws when the newest version was signed more than an hour in the future, because either its publisher's clock was
 * wrong or the clock of this machine is.
 */
export function checkPublisherClock(newest: Signed, now: number): void {
  if (!isFromFuture(newest, now)) return;
  const { list, version, issued } = newest;
  throw new StoreError(
    "signed-later",
    `The clock of this machine says ${timeOf(now)}, but version ${version} of ${list} was signed at ${timeOf(issued)}: set the clock`,
  );
}

/** The time of the next version. `before` is the newest version so far; `null` if there is none. */
export function issueTime(before: Signed | null, now: number): number {
  if (before === null || isFromFuture(before, now)) return now;
  // The clocks of two publishers may differ a little, but the times of versions must never go back.
  return Math.max(now, before.issued);
}

/**
 * Whether a version is a withdrawal, perhaps for good, or a rollback, and whether its entries are all for whole hosts.
 */
export type Kind = Pick<Manifest, "withdrawn" | "retired" | "onlyHosts" | "restores">;

/** Whether a version is a hold: after it, publishers that respect holds leave the entries as they are. */
export function isHold({ withdrawn, restores }: Kind): boolean {
  return withdrawn || restores !== undefined;
}

/**
 * Whether an unchanged list must be signed again, because it expires within `renewWithin` milliseconds or its time is
 * wrong.
 */
export function mustRenew(newest: Manifest, now: number, renewWithin: number): boolean {
  return isFromFuture(newest, now) || newest.expires - now <= renewWithin;
}

/** Writes an object unless its hash is in `kept`, and returns the hash. */
export type WriteObject = (bytes: Uint8Array, kept?: ReadonlySet<string>) => Promise<string>;

/** Writes objects, and records those that did not exist before. */
interface ObjectWriter {
  readonly write: WriteObject;
  readonly created: ReadonlySet<string>;
}

/**
 * Returns a writer that writes each object once. Objects of the newest version are in `kept`, and are skipped because
 * nothing deletes them.
 */
function objectWriter(
  storage: Storage,
  dryRun: boolean,
  onWritten: (count: number) => void,
): ObjectWriter {
  const written = new Set<string>();
  const created = new Set<string>();
  async function write(bytes: Uint8Array, kept?: ReadonlySet<string>): Promise<string> {
    const hash = await hashOf(bytes);
    if (dryRun || kept?.has(hash) || written.has(hash)) return hash;
    const key = objectKey(hash);
    if (await storage.create(key, bytes)) created.add(hash);
    // An object that exists is written again, so that garbage collection treats it as new.
    else await storage.put(key, bytes);
    written.add(hash);
    onWritten(written.size);
    return hash;
  }
  return { write, created };
}

/** The objects of all versions that were created since a publisher began. */
async function objectsSince(storage: Storage, { begun }: PublisherMark): Promise<Set<string>> {
  const used = new Set<string>();
  for (const list of await listNames(storage)) {
    for (const { name, modified } of await storage.list(versionsFolder(list))) {
      const version = parseVersion(name);
      if (version === null || (modified ?? Infinity) < (begun ?? 0)) continue;
      const entry = await readEntry(storage, list, version);
      if (entry !== null) await addContents(used, storage, entry.manifest);
    }
  }
  return used;
}

/**
 * Deletes the objects that a publisher created before it failed, so that they do not fill the storage. Objects that
 * another publisher uses, or may be about to use, are kept.
 */
async function deleteCreated(
  storage: Storage,
  publisher: PublisherMark,
  created: ReadonlySet<string>,
): Promise<void> {
  if (created.size === 0) return;
  const clean = async (isOver: () => boolean) => {
    // A publisher that has finished by now may have used some of these objects.
    const used = await objectsSince(storage, publisher);
    for (const hash of created) {
      if (isOver()) return;
      if (!used.has(hash)) await storage.delete(objectKey(hash));
    }
  };
  await cleanAlone(storage, publisher, clean);
}
