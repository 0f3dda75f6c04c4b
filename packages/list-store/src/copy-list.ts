import { isWhole, type ObjectCopier, objectCopier } from "./copy-objects.ts";
import { isMissing, StoreError } from "./error.ts";
import { commit, readEntry, readHint, writeHint } from "./log-files.ts";
import {
  checkTimes,
  type LogEntry,
  type Manifest,
  missingList,
  missingVersion,
  parseEntry,
} from "./manifest.ts";
import { markPublisher, removeMark } from "./marks.ts";
import { checkSeen, openLog, readNext } from "./read-log.ts";
import type { Verify } from "./signed-note.ts";
import {
  checkListName,
  hashOf,
  parseVersion,
  type Storage,
  versionKey,
  versionsFolder,
} from "./storage.ts";
import { checkSame, type SeenVersion, signedBy, trustedBefore } from "./trusted-log.ts";

/** The progress of a copy. */
export interface CopyProgress {
  readonly list: string;
  /** The version whose objects are being copied. */
  readonly version: number;
  /** The newest version. */
  readonly newest: number;
  /** The number of copied objects and their total length, in bytes. */
  readonly objects: number;
  readonly bytes: number;
}

/** The list to copy, the two storages, and the keys to trust. */
export interface CopyOptions {
  readonly from: Storage;
  readonly to: Storage;
  readonly list: string;
  /** The newest version must be signed with one of these keys. */
  readonly publicKeys: readonly string[];
  /** A version seen before, which the log must contain. */
  readonly seen?: SeenVersion | null | undefined;
  /** Objects that still exist are copied for this many of the newest versions; 200 by default. */
  readonly window?: number | undefined;
  /**
   * Whether to read all objects of the newest version in the copy, and to copy damaged ones again. Without this option,
   * only missing objects and damaged indexes are noticed.
   */
  readonly checksCopy?: boolean | undefined;
  /** The time, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /** Called before each version and after each object that was copied. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** The state of a copy after copying. */
export interface CopiedList {
  /** The newest version, which the copy has completely. */
  readonly manifest: Manifest;
  readonly hash: string;
  /** The numbers of copied manifests and objects, and the total length of the objects in bytes. */
  readonly versions: number;
  readonly objects: number;
  readonly bytes: number;
  /** The number of copied objects that replaced lost or damaged objects of the copy. */
  readonly repaired: number;
}

const WINDOW = 200;
const UP_TO_DATE = { versions: 0, objects: 0, bytes: 0, repaired: 0 };

/** The versions whose manifests a copy has. */
async function versionsIn(storage: Storage, list: string): Promise<Set<number>> {
  const entries = await storage.list(versionsFolder(list));
  return new Set(entries.map(({ name }) => parseVersion(name) ?? 0).filter((each) => each > 0));
}

/**
 * The entries from a version to the newest one, the oldest first. The newest entry is already trusted. If each entry
 * follows the one before, and the last is the newest one, all of them are in its log.
 */
async function readLog(
  { from, list, verify }: CopyOptions,
  newest: LogEntry,
  first: number,
): Promise<LogEntry[]> {
  const oldest = await readEntry(from, list, first);
  if (oldest === null) throw missingVersion(list, first);
  const log = trustedBefore(oldest, { verify, most: Infinity });
  while (log.newest.manifest.version < newest.manifest.version) {
    if (!(await readNext(from, log))) throw missingVersion(list, log.newest.manifest.version + 1);
  }
  checkSame(log.newest, { version: newest.manifest.version, hash: newest.hash });
  return [...log.entries.values()];
}

/** Writes to the log of a copy. */
interface LogWriter {
  /**
   * Creates the manifests of one or more versions, of which only the last is complete. If there are several, the hint
   * is written first and the last manifest next, so that readers find either that version or the one before all of
   * them.
   */
  create(entries: readonly LogEntry[]): Promise<void>;
  created(): number;
}

/** @param highest the highest version that the copy has. */
function logWriter({ to, list }: CopyOptions, highest: number): LogWriter {
  let hint = highest;
  let created = 0;
  return {
    async create(entries) {
      if (entries.length === 0) return;
      hint = Math.max(hint, entries.at(-1)!.manifest.version);
      if (entries.length > 1) await writeHint(to, list, hint);
      for (const { manifest, note } of entries.toReversed()) {
        if (!(await commit(to, list, manifest.version, note))) throw otherInCopy(list, manifest);
        created++;
      }
      await writeHint(to, list, hint);
    },
    created: () => created,
  };
}

function otherInCopy(list: string, { version }: Pick<Manifest, "version">): StoreError {
  return new StoreError(
    "forked",
    `Version ${version} of ${list} in the copy is not the one to be copied`,
  );
}

interface VersionCopying {
  /** The versions that the copy has. */
  readonly there: ReadonlySet<number>;
  /** The number of versions whose objects are copied. */
  readonly window: number;
  readonly objects: ObjectCopier;
  readonly writer: LogWriter;
  /** Called before a version is copied. */
  readonly onVersion: (version: number) => void;
}

/** Copies the versions that are missing, the oldest first, and the objects that the newest version has lost. */
async function copyVersions(
  log: readonly LogEntry[],
  { there, window, objects, writer, onVersion }: VersionCopying,
): Promise<void> {
  const newest = log.at(-1)!.manifest.version;
  /**
   * Copies the objects of a version. Returns `false` for an older version that is outside the window or no longer
   * complete.
   */
  async function isComplete({ manifest }: LogEntry): Promise<boolean> {
    const { version } = manifest;
    if (version === newest || version > newest - window) {
      try {
        await objects.copyVersion(manifest);
        return true;
      } catch (error) {
        if (version === newest || !isMissing(error)) throw error;
      }
    }
    await objects.copyHistory(manifest);
    return false;
  }
  let waiting: LogEntry[] = [];
  for (const entry of log) {
    const { version } = entry.manifest;
    const isThere = there.has(version);
    if (!isThere || version === newest) {
      onVersion(version);
      const complete = await isComplete(entry);
      if (!isThere) waiting.push(entry);
      if (!complete) continue;
    }
    await writer.create(waiting);
    waiting = [];
  }
}

/** The newest version of a copy. `entry` is `null` if the version is in an older format, and is not read. */
interface OwnVersion extends SeenVersion {
  readonly entry: LogEntry | null;
}

/** The newest version of a copy; `null` if there is none. The log that is copied may begin after older formats. */
async function newestIn(to: Storage, list: string, version: number): Promise<OwnVersion | null> {
  const note = await to.get(versionKey(list, version));
  if (note === null) return null;
  try {
    const entry = await parseEntry(note, list, version);
    return { version, hash: entry.hash, entry };
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "older-format")) throw error;
    return { version, hash: await hashOf(note), entry: null };
  }
}

/** The later of two versions that must be in the log: the newest one of the copy and the one that was seen before. */
function laterOf(own: OwnVersion | null, seen: SeenVersion | null): SeenVersion | null {
  if (own === null || own.version < (seen?.version ?? 0)) return seen;
  return { version: own.version, hash: own.hash };
}

/**
 * Brings a copy of a list up to date. The copy gets every manifest, the shortest block of every version, and those
 * objects of the newest versions that still exist: at least all objects of the newest one.
 *
 * The objects of a version are copied before its manifest is created, so readers of the copy find a complete version.
 * Files that the copy already has are not copied again, so an interrupted copy can be continued. Objects of the newest
 * version that the copy has lost are copied again.
 *
 * @throws {StoreError} `rolled-back`, `forked`, `wrongly-signed`, `missing`, `expired` and others, before anything is
 * written, when the log cannot be trusted. `damaged`, `missing` or `forked` when an object is not valid or cannot be
 * read; the copy then keeps its versions.
 * @example
 * ```ts
 * import { copyList, generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const signer = await signerOf(await generateSigningKey("example.org"));
 * const [from, to, publicKeys] = [memoryStorage(), memoryStorage(), [signer.publicKey]];
 * const fullHashes = [fullHash("evil.example/")];
 * await publish({ storage: from, list: "malware", fullHashes, signer, publicKeys, lifetime: 86_400_000 });
 * (await copyList({ from, to, list: "malware", publicKeys })).versions; // → 1
 * (await copyList({ from, to, list: "malware", publicKeys })).versions; // → 0
 * ```
 */
export async function copyList(options: CopyOptions): Promise<CopiedList> {
  const { from, to, list, publicKeys, seen = null, window = WINDOW } = options;
  const { checksCopy = false, now = Date.now, verify, onProgress } = options;
  checkListName(list);
  const there = await versionsIn(to, list);
  const highest = Math.max(0, ...there);
  const newestOwn = highest === 0 ? null : await newestIn(to, list, highest);
  const own = newestOwn?.entry ?? null;
  // Nothing follows a retirement, so the files of the list may be gone.
  if (own?.manifest.retired && (await signedBy(publicKeys, own, { verify })) !== null) {
    return { ...UP_TO_DATE, manifest: own.manifest, hash: own.hash };
  }
  const later = laterOf(newestOwn, seen);
  const trusted = await openLog({ storage: from, list, publicKeys, verify, seen: later }, true);
  if (trusted === null) throw missingList(list);
  if (seen !== null && seen !== later) await checkSeen(from, trusted, seen);
  const { newest } = trusted;
  checkTimes(newest, now());
  const { manifest, hash } = newest;
  /** The lowest version that the copy lacks. */
  let { first } = manifest;
  while (there.has(first)) first++;
  const isUpToDate = first > manifest.version;
  if (isUpToDate) {
    // An interrupted copy may not have written the hint.
    if ((await readHint(to, list)) < highest) await writeHint(to, list, highest);
    if (!checksCopy && (await isWhole(to, manifest))) {
      return { ...UP_TO_DATE, manifest, hash };
    }
  }
  const log = isUpToDate
    ? [newest]
    : await readLog(options, newest, Math.max(manifest.first, first - 1));
  if (own !== null && !log.some((entry) => entry.hash === own.hash)) {
    throw otherInCopy(list, own.manifest);
  }
  const mark = await markPublisher(to);
  try {
    let [version, objects, bytes, repaired] = [first, 0, 0, 0];
    const report = () => onProgress?.({ list, version, newest: manifest.version, objects, bytes });
    const entries = new Map(log.map((entry) => [entry.manifest.version, entry]));
    const copier = await objectCopier({
      from,
      to,
      checksCopy,
      own: own?.manifest ?? null,
      begun: mark.begun,
      entryOf: (each) => entries.get(each),
      onCopied(length, isRepair) {
        objects++;
        bytes += length;
        if (isRepair) repaired++;
        report();
      },
    });
    const writer = logWriter(options, highest);
    const onVersion = (begun: number) => {
      version = begun;
      report();
    };
    await copyVersions(log, { there, window, objects: copier, writer, onVersion });
    return { manifest, hash, versions: writer.created(), objects, bytes, repaired };
  } finally {
    await removeMark(to, mark.name);
  }
}
