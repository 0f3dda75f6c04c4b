import { decodePrefixList } from "@x/prefix-list";
import { decodeText } from "./bytes.ts";
import { applyChange } from "./change.ts";
import { fullHashesIn } from "./contents.ts";
import { StoreError } from "./error.ts";
import { commit, newestVersion, readEntry, writeHint } from "./log-files.ts";
import { type LogEntry, type Manifest, NEVER } from "./manifest.ts";
import {
  checkPublisherClock,
  checkRenewal,
  checkSigner,
  issueTime,
  NOT_SHOWN,
  type Renewal,
  runPublisher,
  signNext,
} from "./publisher.ts";
import { isSignedByOne, textOfNote } from "./signed-note.ts";
import { getObject, hashOf, type Storage, versionKey } from "./storage.ts";
import { checkHash, type SeenVersion } from "./trusted-log.ts";
import { NO_WORDS, type PrefixWords, wordsOf } from "./words.ts";
import { newContentsOf, writeFirst } from "./write-contents.ts";

/*
 * The upgrade of a store of format 2, which @x/list-store 0.2 wrote. Nothing else reads that format. It had layers in
 * place of blocks: a base, and changes on top, each as list files of prefixes and as shards of full hashes.
 */

const FIRST_LINE = "urlhash-manifest/2\n";
/** The maximum length of an object that names others, in bytes. */
const MAX_INDEX_BYTES = 2 ** 23;

/** The fields of an old manifest that are still needed. */
interface OldManifest extends Omit<Manifest, "contents"> {
  readonly contents: Pick<Manifest["contents"], "fullHashes" | "checksum"> & { layers: string };
}

interface OldVersion {
  readonly manifest: OldManifest;
  readonly hash: string;
  readonly note: Uint8Array;
}

type StoredPrefixes = { readonly object: string } | null;

interface OldLayers {
  readonly base: { readonly prefixes: StoredPrefixes; readonly shards: string };
  /** The changes since the base, the oldest first. */
  readonly layers: readonly {
    readonly removed: StoredPrefixes;
    readonly added: StoredPrefixes;
    readonly shards: string | null;
  }[];
}

/**
 * Continues a list of format 2 in today's format: the next version has the same entries, and is withdrawn, retired or
 * rolled back as the newest one is. It also expires when that one does, so a list that has expired stays so until it is
 * published again. Versions keep their numbers, and the key that signs must be one that the newest version names.
 * Returns the new version, or `null` if there is nothing to upgrade.
 *
 * @throws {StoreError} `damaged` or `missing` when the newest version cannot be read completely.
 */
export async function upgradeList(upgrade: Omit<Renewal, "lifetime">): Promise<LogEntry | null> {
  const renewal = { ...upgrade, lifetime: 1 };
  checkRenewal(renewal);
  const old = await readOldVersion(renewal);
  if (old === null) return null;
  const { storage, list, signer, publicKeys, now = Date.now, sha256 } = renewal;
  const { manifest: before, hash } = old;
  checkSigner(before, signer);
  if (!renewal.trustsClock) checkPublisherClock(before, now());
  const version = before.version + 1;
  const next = await runPublisher({ ...renewal, dryRun: false }, NOT_SHOWN, async (write) => {
    const hashes = {
      count: before.contents.fullHashes,
      pieces: await readOldHashes(storage, before),
    };
    const fresh = await newContentsOf(list, hashes, sha256);
    if (fresh.checksum !== before.contents.checksum) throw unreadable(before);
    const body = await writeFirst(write, fresh, version);
    const { withdrawn, retired, restores } = before;
    const issued = issueTime(before, now());
    const expires = retired ? NEVER : before.expires;
    const kind = { withdrawn, retired, restores, nextSigners: publicKeys };
    const facts = { list, version, previous: hash, first: version, issued, expires };
    const entry = await signNext(renewal, null, { ...facts, ...body, change: null, ...kind });
    return (await commit(storage, list, version, entry.note)) ? entry : null;
  });
  // Another publisher was faster, which has upgraded the list or made another version of format 2.
  if (next === null) return upgradeList(renewal);
  await writeHint(storage, list, version);
  return next;
}

/** The newest version, verified as readers did; `null` if there is none, or if it is not of format 2. */
async function readOldVersion(renewal: Renewal): Promise<OldVersion | null> {
  const { storage, list, publicKeys, verify, seen = null } = renewal;
  const version = await newestVersion(storage, list, { atLeast: seen?.version ?? 0 });
  const newest = version === 0 ? null : await readOldManifest(storage, list, version);
  if (newest === null) {
    // A damaged version must not count as one that needs no upgrade.
    if (version > 0) await readEntry(storage, list, version);
    return null;
  }
  if (!(await isSignedByOne(newest.note, publicKeys, verify))) {
    throw new StoreError(
      "wrongly-signed",
      `Version ${version} of ${list} is not signed by a trusted key: trust its publisher's public key, or restore the store from a good copy`,
    );
  }
  if (seen !== null) await checkOldLog(storage, newest, seen);
  return newest;
}

/** Throws unless the version that was seen is the newest one, or one before it. */
async function checkOldLog(storage: Storage, newest: OldVersion, seen: SeenVersion) {
  let { manifest, hash } = newest;
  const { list, version } = manifest;
  if (version < seen.version) {
    throw new StoreError(
      "rolled-back",
      `The list ${list} was rolled back: it is at version ${version}, but version ${seen.version} was seen before`,
    );
  }
  while (manifest.version > seen.version) {
    const older = await readOldManifest(storage, list, manifest.version - 1);
    if (older?.hash !== manifest.previous) throw unreadable(manifest);
    ({ manifest, hash } = older!);
  }
  checkHash(list, hash, seen);
}

/** A manifest of format 2, with unverified signatures; `null` if there is none. */
async function readOldManifest(
  storage: Storage,
  list: string,
  version: number,
): Promise<OldVersion | null> {
  const note = await storage.get(versionKey(list, version));
  const text = note && textOfNote(note);
  if (!text?.startsWith(FIRST_LINE)) return null;
  const hash = await hashOf(note!);
  try {
    const { issued, expires, ...rest } = JSON.parse(text.slice(FIRST_LINE.length));
    const times = { issued: Date.parse(issued), expires: Date.parse(expires) };
    const manifest: OldManifest = { ...rest, ...times };
    const areTimes = Number.isFinite(manifest.issued) && Number.isFinite(manifest.expires);
    if (manifest.list === list && manifest.version === version && areTimes) {
      return { manifest, hash, note: note! };
    }
  } catch {
    // The error is thrown below.
  }
  throw unreadable({ list, version });
}

/** Returns a function that reads the full hashes of an old version in ascending order. */
async function readOldHashes(storage: Storage, manifest: OldManifest) {
  const named = async <Index>(hash: string): Promise<Index> =>
    JSON.parse(decodeText(await getObject(storage, hash, MAX_INDEX_BYTES)));
  const wordsIn = async (stored: StoredPrefixes): Promise<PrefixWords> =>
    stored === null ? NO_WORDS : wordsOf(decodePrefixList(await getObject(storage, stored.object)));
  const { base, layers } = await named<OldLayers>(manifest.contents.layers);
  let words = await wordsIn(base.prefixes);
  for (const { removed, added } of layers) {
    const change = { removed: await wordsIn(removed), added: await wordsIn(added) };
    words = applyChange(words, change);
  }
  const indexes = [base, ...layers].map(({ shards }) => shards).filter((shards) => shards !== null);
  const hashBlocks = await Promise.all(
    indexes.reverse().map((each) => named<{ shards: string[] }>(each)),
  );
  return () => fullHashesIn(storage, words, hashBlocks);
}

function unreadable({ list, version }: Pick<Manifest, "list" | "version">): StoreError {
  return new StoreError(
    "damaged",
    `Version ${version} of ${list} cannot be upgraded: it is damaged`,
  );
}
