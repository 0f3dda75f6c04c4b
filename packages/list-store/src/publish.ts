import { readContents, type StoredContents } from "./contents.ts";
import { isMissing, StoreError } from "./error.ts";
import { type SortedHashes, sortHashes } from "./full-hashes.ts";
import { commit, writeHint } from "./log-files.ts";
import { type LogEntry, type Manifest, missingList, NEVER } from "./manifest.ts";
import {
  checkPublisherClock,
  checkRenewal,
  checkSigner,
  isHold,
  issueTime,
  type Kind,
  mustRenew,
  NOT_SHOWN,
  type Renewal,
  runPublisher,
  signNext,
  type WriteObject,
} from "./publisher.ts";
import { openLog, readOlder, readPrevious } from "./read-log.ts";
import { checkListName, type Storage } from "./storage.ts";
import { checkNotRevived, type TrustedLog } from "./trusted-log.ts";
import {
  type Body,
  type CheckChange,
  newContentsOf,
  writeContents,
  writeFirst,
  writeSame,
} from "./write-contents.ts";

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
   * Whether all entries are for whole hosts, such as `evil.example/`. The default is `false`. Readers find no entries
   * for pages on a list for which this is `true`.
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
