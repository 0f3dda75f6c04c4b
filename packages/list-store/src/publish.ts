import { readContents, type StoredContents } from "./contents.ts";
import { isMissing, StoreError } from "./error.ts";
import { type SortedHashes, sortHashes } from "./full-hashes.ts";
import { checkListName } from "./keys.ts";
import { commit, writeHint } from "./log-files.ts";
import {
  type About,
  formatManifest,
  isAbout,
  type LogEntry,
  type Manifest,
  missingList,
  NEVER,
  parseEntry,
} from "./manifest.ts";
import { markPublisher, removeMark } from "./marks.ts";
import { deleteCreated, objectWriter, type WriteObject } from "./object-writer.ts";
import {
  checkPublisherClock,
  checkStorageClock,
  isHold,
  issueTime,
  type Kind,
  mustRenew,
} from "./publisher-clocks.ts";
import { openLog, readOlder, readPrevious, type StoredList } from "./read-log.ts";
import { type Signer, signNote } from "./signed-note.ts";
import type { Storage } from "./storage.ts";
import { checkNotRevived, signedByItself, type TrustedLog } from "./trusted-log.ts";
import {
  type Body,
  type CheckChange,
  newContentsOf,
  writeContents,
  writeFirst,
  writeSame,
} from "./write-contents.ts";

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

/** The progress of publishing. */
export interface PublishProgress {
  readonly list: string;
  readonly step: "sorting" | "comparing" | "writing";
  /** The number of objects that have been written. */
  readonly objects: number;
}

/** The contents to publish. */
export interface Publication extends Renewal {
  /**
   * The full hashes of all entries, 32 bytes each. Pass chunks of any number of hashes in any order, which are sorted
   * in memory, or hashes that are already sorted.
   */
  readonly fullHashes: readonly Uint8Array[] | SortedHashes;
  /**
   * Whether all entries are for whole hosts, such as `evil.example/`. The default is `false`. Readers find no entries for
   * pages on a list for which this is `true`.
   */
  readonly onlyHosts?: boolean;
  /** Whether to leave the entries of a list as they are after a rollback or a withdrawal. */
  readonly respectsHold?: boolean;
  /**
   * Called with the change before any object is written, unless the version is the first. It may throw to refuse the
   * change.
   */
  readonly checkChange?: CheckChange;
  /** Called when sorting or comparing begins, and after each object that was written. */
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

/** The version to restore, and an optional change to its entries. */
export interface Rollback extends Renewal {
  /** The older version whose entries are published again. */
  readonly version: number;
  /** Changes the entries before they are published, for example to leave some out. */
  readonly edit?: (contents: StoredContents) => Pick<Publication, "fullHashes">;
}

/** The result of publishing. */
export interface Published {
  readonly outcome: "unchanged" | "changed" | "renewed";
  /** The newest version, whether new or unchanged. In a dry run, the version that would be published. */
  readonly manifest: Manifest;
  readonly hash: string;
  /** Whether new contents were held back because the newest version is a rollback or a withdrawal. */
  readonly isHeld: boolean;
}

/** Makes a version from the newest one; `null` when nothing changed. */
type BodyAfter = (newest: LogEntry | null, write: WriteObject) => Promise<(Body & Kind) | null>;

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

/** Creates the next version of a list. */
async function publishNext(
  renewal: Renewal,
  onWritten: (count: number) => void,
  bodyAfter: BodyAfter,
): Promise<Omit<Published, "isHeld">> {
  checkRenewal(renewal);
  return runPublisher(renewal, onWritten, (write) => createNext(renewal, bodyAfter, write));
}

/**
 * Creates the next version. `bodyAfter` makes that version from the newest one, or returns `null` when nothing changed.
 *
 * If another publisher is faster, the function starts again from that publisher's version.
 */
async function createNext(
  renewal: Renewal,
  bodyAfter: BodyAfter,
  write: WriteObject,
): Promise<Omit<Published, "isHeld">> {
  const { storage, list, signer, publicKeys, lifetime } = renewal;
  const { renewWithin = 0, now = Date.now, dryRun = false } = renewal;
  const { trustsClock = false } = renewal;
  for (;;) {
    const log = await openLog(renewal);
    const newest = log?.newest ?? null;
    const before = newest?.manifest ?? null;
    if (before !== null) checkSigner(before, signer);
    if (before !== null && !trustsClock) checkPublisherClock(before, now());
    const changed = await bodyAfter(newest, write);
    if (changed === null && before === null) throw missingList(list);
    const about = renewal.about === undefined ? before?.about : (renewal.about ?? undefined);
    const isSame =
      before?.about?.reason === about?.reason && before?.about?.contact === about?.contact;
    if (changed === null && isSame && !mustRenew(before!, now(), renewWithin)) {
      return { outcome: "unchanged", manifest: before!, hash: newest!.hash };
    }
    const { contents, change, base, blocks, withdrawn, retired, onlyHosts, restores } = changed ?? {
      ...before!,
      ...(await writeSame(storage, write, newest!, renewal.sha256)),
    };
    const issued = issueTime(before, now());
    const manifest: Manifest = {
      list,
      version: (before?.version ?? 0) + 1,
      previous: newest?.hash ?? null,
      first: before?.first ?? 1,
      blocks,
      base,
      issued,
      expires: retired ? NEVER : issued + lifetime,
      contents,
      change,
      withdrawn,
      retired,
      onlyHosts,
      restores,
      about,
      nextSigners: publicKeys,
    };
    const { hash, note } = await signNext(renewal, log, manifest);
    if (!dryRun) {
      if (!(await commit(storage, list, manifest.version, note))) continue;
      await writeHint(storage, list, manifest.version);
    }
    return { outcome: changed === null ? "renewed" : "changed", manifest, hash };
  }
}

async function publishAs(kind: Kind, publication: Publication): Promise<Published> {
  const { storage, list, fullHashes, sha256 } = publication;
  const { respectsHold = false, onProgress } = publication;
  checkListName(list);
  const report = (step: PublishProgress["step"], objects = 0) =>
    onProgress?.({ list, step, objects });
  report("sorting");
  const hashes = "pieces" in fullHashes ? fullHashes : sortHashes(fullHashes);
  const fresh = await newContentsOf(list, hashes, sha256);
  let isHeld = false;
  const onWritten = (count: number) => report("writing", count);
  const published = await publishNext(publication, onWritten, async (newest, write) => {
    isHeld = false;
    const before = newest?.manifest ?? null;
    if (before !== null) {
      checkNotRevived(before, kind);
      const isSame =
        before.contents.entries === fresh.entries &&
        before.withdrawn === kind.withdrawn &&
        before.retired === kind.retired;
      if (respectsHold && isHold(before)) {
        isHeld = !isSame;
        return null;
      }
      // Unchanged contents also need a new version if a hold begins or ends, or if they are marked otherwise.
      const isMarkedSo = before.onlyHosts === kind.onlyHosts;
      if (isSame && isMarkedSo && (respectsHold || before.restores === kind.restores)) return null;
    }
    report("comparing");
    const written =
      newest === null
        ? await writeFirst(write, fresh, 1)
        : await writeContents(storage, write, fresh, newest, publication);
    return { ...written, ...kind };
  });
  return { ...published, isHeld };
}

/**
 * Publishes a new version of a list, unless nothing changed.
 *
 * First, the change is applied to the old list, and the result must have the checksum of the new one. Then the
 * objects are written. The next manifest is created last.
 */
export async function publish(publication: Publication): Promise<Published> {
  const { onlyHosts = false } = publication;
  return publishAs({ withdrawn: false, onlyHosts: onlyHosts || undefined }, publication);
}

/** The log of a list, which must exist. */
async function existing(renewal: Renewal): Promise<TrustedLog> {
  checkListName(renewal.list);
  const log = await openLog(renewal);
  if (log !== null) return log;
  throw missingList(renewal.list);
}

/** Publishes a list as empty, so that clients stop blocking its entries. */
export async function withdraw(renewal: Renewal): Promise<Published> {
  await existing(renewal);
  return publishAs({ withdrawn: true }, { ...renewal, fullHashes: [] });
}

/**
 * Withdraws a list for good, for a list that is not published any more. The version does not expire, and no entries can
 * be published after it: `publish`, `withdraw` and `rollBack` then throw `retired`.
 */
export async function retire(renewal: Omit<Renewal, "lifetime">): Promise<Published> {
  const retirement = { ...renewal, lifetime: 1, fullHashes: [] };
  await existing(retirement);
  return publishAs({ withdrawn: true, retired: true }, retirement);
}

/**
 * Publishes the entries of an older version again, as kept in the store. {@link publish} with `respectsHold` then
 * leaves the list as it is.
 *
 * @throws {StoreError} `missing` when there is no such version, or `collected` when the store no longer has all of it.
 * @example
 * ```ts
 * import { generateSigningKey, memoryStorage, publish, rollBack, signerOf, withdraw } from "@x/list-store";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const signer = await signerOf(await generateSigningKey("example.org"));
 * const stored = { storage: memoryStorage(), list: "malware", publicKeys: [signer.publicKey] };
 * const renewal = { ...stored, signer, lifetime: 86_400_000 };
 * await publish({ ...renewal, fullHashes: [fullHash("evil.example/")] });
 * await withdraw(renewal);
 * const { manifest } = await rollBack({ ...renewal, version: 1 });
 * [manifest.version, manifest.restores]; // → [3, 1]
 * ```
 */
export async function rollBack(rollback: Rollback): Promise<Published> {
  const { storage, version, edit = (contents) => contents } = rollback;
  const log = await existing(rollback);
  const entry = await findVersion(storage, log, version);
  const { withdrawn } = entry.manifest;
  const entries = edit(await readKeptContents(storage, log.newest, entry));
  // Nobody knows what an edit has added.
  const onlyHosts = rollback.edit === undefined ? entry.manifest.onlyHosts : undefined;
  return publishAs({ withdrawn, onlyHosts, restores: version }, { ...rollback, ...entries });
}

/** Signs an unchanged list again when it expires within `renewWithin` milliseconds. */
export async function renew(renewal: Renewal): Promise<Published> {
  return { ...(await publishNext(renewal, NOT_SHOWN, async () => null)), isHeld: false };
}

/** An older version, verified by the hashes in newer ones, so its own signature is not needed. */
async function findVersion(storage: Storage, log: TrustedLog, version: number): Promise<LogEntry> {
  const { list, version: newest } = log.newest.manifest;
  if (version >= 1 && version <= newest) return readOlder(storage, log, version);
  throw new StoreError("missing", `The store has no version ${version} of list ${list}`);
}

async function isKept(storage: Storage, { manifest }: LogEntry): Promise<boolean> {
  return readContents(storage, manifest).then(
    () => true,
    () => false,
  );
}

/**
 * The entries of a version. If the store no longer has all of them, the error names the later versions that could be
 * used instead.
 */
async function readKeptContents(
  storage: Storage,
  newest: LogEntry,
  { manifest }: LogEntry,
): Promise<StoredContents> {
  try {
    return await readContents(storage, manifest);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const { list, version } = manifest;
    const kept: number[] = [];
    let entry: LogEntry | null = newest;
    while (entry !== null && entry.manifest.version > version) {
      if (await isKept(storage, entry)) kept.push(entry.manifest.version);
      entry = await readPrevious(storage, entry);
    }
    throw new StoreError(
      "collected",
      `The store no longer has all of version ${version} of ${list}, but it has ${kept.length === 1 ? "version" : "versions"} ${kept.reverse().join(", ")}`,
      { cause: error },
    );
  }
}
