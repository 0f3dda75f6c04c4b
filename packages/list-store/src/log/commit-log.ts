import { decodeText, encodeText, equalBytes } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { headKey, MAX_VERSION, parseVersion, versionKey, versionsFolder } from "../keys.ts";
import { hashOf, type Sha256 } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { isSignedByOne, type Verify } from "./signed-note.ts";

/** A manifest as it was read from the log. */
export interface LogEntry {
  readonly manifest: Manifest;
  /** The SHA-256 of the note. The next manifest contains it. */
  readonly hash: string;
  readonly note: Uint8Array;
}

/** A version that was seen before: the log must still contain it. */
export interface SeenVersion {
  readonly version: number;
  readonly hash: string;
}

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

/** The entry of one version, with unverified signatures; `null` when there is none. */
export async function readEntry(
  storage: Storage,
  list: string,
  version: number,
): Promise<LogEntry | null> {
  const note = await storage.get(versionKey(list, version));
  return note && parseEntry(note, list, version);
}

/** Parses a note that was read before. Its signatures are not verified. */
export async function parseEntry(
  note: Uint8Array,
  list: string,
  version: number,
): Promise<LogEntry> {
  const where = `Version ${version} of ${list}`;
  const manifest = parseManifest(note, where);
  if (manifest.list !== list) {
    throw new StoreError("misplaced", `${where} is a version of another list`, {
      list: manifest.list,
    });
  }
  if (manifest.version !== version) {
    throw new StoreError(
      "damaged",
      `${where} is damaged: it says it is version ${manifest.version}`,
    );
  }
  return { manifest, hash: await hashOf(note), note };
}

/** The version that the hint names; 0 when there is no usable hint. */
export async function readHint(storage: Storage, list: string): Promise<number> {
  const hint = await storage.get(headKey(list));
  const text = hint === null ? "" : decodeText(hint);
  return /^\d{1,12}\n$/.test(text) ? Number(text) : 0;
}

/**
 * The highest version in the listing; 0 if the storage has no listings, which is safe because version 1 is never
 * deleted.
 */
async function highestListed(storage: Storage, list: string): Promise<number> {
  let highest = 0;
  const entries = await storage.list(versionsFolder(list)).catch((error) => {
    if (error instanceof StoreError && error.code === "unsupported") return [];
    throw error;
  });
  for (const { name } of entries) {
    highest = Math.max(highest, parseVersion(name) ?? 0);
  }
  return highest;
}

/** How far above the highest version found to look for others. If one is found, a version in between is missing. */
const MAX_LOOK_AHEAD = 2 ** 20;

/**
 * The highest stored version at or above `from`, which must be a stored version or 0. The search doubles its steps and
 * then halves them, because `from` may be far behind.
 *
 * Versions below the result may be missing: whoever reads them finds out, because every manifest contains the hash of
 * the one before. The search also looks 2, 4, 8 and more versions above the result. If one of these exists, the version
 * after the result is missing, and the function throws `missing`. Otherwise, readers would stay below the gap, and
 * publishers would fork the log.
 */
async function highestStored(storage: Storage, list: string, from: number): Promise<number> {
  const isStored = async (version: number) =>
    version <= MAX_VERSION && (await storage.get(versionKey(list, version))) !== null;
  let low = from;
  for (;;) {
    let step = 1;
    for (; await isStored(low + step); step *= 2) low += step;
    while (step > 1) {
      step /= 2;
      if (await isStored(low + step)) low += step;
    }
    let above = 0;
    for (let step = 2; above === 0 && step <= MAX_LOOK_AHEAD; step *= 2) {
      if (await isStored(low + step)) above = low + step;
    }
    if (above === 0) return low;
    // Other publishers may have created all these versions in the meantime.
    if (!(await isStored(low + 1))) {
      throw new StoreError(
        "missing",
        `Version ${low + 1} of ${list} is missing, but version ${above} is there`,
      );
    }
    low = above;
  }
}

/** The newest entry, found by searching from the hint upwards. Its signatures are not verified. */
async function findNewest(
  storage: Storage,
  list: string,
  atLeast: number,
): Promise<LogEntry | null> {
  const hint = Math.max(await readHint(storage, list), atLeast);
  const isThere = hint > 0 && (await storage.get(versionKey(list, hint))) !== null;
  // When the hint is missing or wrong, look at the log itself.
  const from = isThere ? hint : await highestListed(storage, list);
  const highest = await highestStored(storage, list, from);
  return highest === 0 ? null : readEntry(storage, list, highest);
}

/** An older entry, verified by its hash in a newer one. */
async function readLinked(
  storage: Storage,
  { list, version }: Manifest,
  older: number,
  hash: string,
): Promise<LogEntry> {
  const entry = await readEntry(storage, list, older);
  if (entry === null) throw new StoreError("missing", `Version ${older} of ${list} is missing`);
  if (entry.hash !== hash) {
    throw new StoreError(
      "forked",
      `Version ${older} of ${list} is not the one that version ${version} follows`,
    );
  }
  return entry;
}

/** The previous entry, verified by its hash in this one; `null` for version 1. */
export async function readPrevious(
  storage: Storage,
  { manifest }: Pick<LogEntry, "manifest">,
): Promise<LogEntry | null> {
  const { version, previous } = manifest;
  return previous === null ? null : readLinked(storage, manifest, version - 1, previous);
}

/**
 * The entry of an older version, verified by a chain of hashes that begins at `entry`. Versions in between are skipped
 * where manifests contain the hashes of earlier ones.
 *
 * @param known verified entries by version, which need not be read again; entries that are read are added.
 */
export async function readBack(
  storage: Storage,
  entry: LogEntry,
  version: number,
  known: Map<number, LogEntry> = new Map(),
): Promise<LogEntry> {
  let nearest = version;
  while (nearest < entry.manifest.version && !known.has(nearest)) nearest++;
  let reached = known.get(nearest) ?? entry;
  while (reached.manifest.version > version) {
    const { version: from, previous, earlier = {} } = reached.manifest;
    const linked = Object.keys(earlier).map(Number);
    const next = Math.min(...linked.filter((each) => each >= version), from - 1);
    const hash = next === from - 1 ? previous! : earlier[next]!;
    reached = await readLinked(storage, reached.manifest, next, hash);
    known.set(next, reached);
  }
  return reached;
}

/** A manifest has the hashes of the last versions before it that are multiples of 4, 16, 64 and so on. */
const LINK_BASE = 4;

/** The hash of an older manifest, if this manifest has it; otherwise `undefined`. */
export function linkTo(
  { version, previous, earlier }: Manifest,
  older: number,
): string | undefined {
  return older === version - 1 ? previous! : earlier?.[older];
}

/** The field `earlier` for the version after an entry; `undefined` when it would be empty. */
export function earlierAfter({ manifest }: LogEntry): Readonly<Record<string, string>> | undefined {
  const earlier: Record<string, string> = {};
  for (let step = LINK_BASE; step <= manifest.version; step *= LINK_BASE) {
    const version = manifest.version - (manifest.version % step);
    const hash = version === manifest.version ? undefined : linkTo(manifest, version);
    if (hash !== undefined) earlier[version] = hash;
  }
  return Object.keys(earlier).length === 0 ? undefined : earlier;
}

/** Throws unless the log up to an entry contains a version seen before, which is not newer. */
export async function checkSeen(
  storage: Storage,
  newest: LogEntry,
  seen: SeenVersion,
): Promise<void> {
  const entry = await readBack(storage, newest, seen.version);
  if (entry.hash === seen.hash) return;
  throw new StoreError(
    "forked",
    `Version ${seen.version} of ${newest.manifest.list} is not the one that was seen before`,
  );
}

/**
 * The newest entry of a list's log; `null` when the list has none.
 *
 * It is signed by one of the public keys, and its log contains the version seen before. Expiry is not checked.
 */
export async function readNewest(stored: StoredList): Promise<LogEntry | null> {
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
  if (!(await isSignedByOne(newest.note, publicKeys, verify))) {
    throw new StoreError(
      "wrongly-signed",
      `Version ${version} of ${list} is not signed by a trusted key: trust its publisher's public key (--public-key), or restore the store from a good copy`,
    );
  }
  if (seen !== null) await checkSeen(storage, newest, seen);
  return newest;
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

/** The entry after a verified one, signed by a key that the verified one names; `null` if there is none yet. */
export async function readNext(
  storage: Storage,
  entry: LogEntry,
  verify?: Verify,
): Promise<LogEntry | null> {
  const { list, version, nextSigners } = entry.manifest;
  const next = await readEntry(storage, list, version + 1);
  if (next === null) return null;
  if (next.manifest.previous !== entry.hash) {
    throw new StoreError(
      "forked",
      `Version ${version + 1} of ${list} does not follow version ${version}`,
    );
  }
  if (!(await isSignedByOne(next.note, nextSigners, verify))) {
    throw new StoreError(
      "wrongly-signed",
      `Version ${version + 1} of ${list} is not signed by a key that version ${version} names`,
    );
  }
  return next;
}

/**
 * Skips from a verified entry to one as far above it as hashes allow, up to version `most`; `null` when the next
 * version has to be read instead.
 *
 * The later entry has the hash of the verified one, and is signed by a key that the verified one names. So the holder
 * of that key vouches for all versions in between. Where the keys changed in between, only shorter steps are possible.
 */
export async function skipAhead(
  storage: Storage,
  { manifest, hash }: LogEntry,
  most: number,
  verify?: Verify,
): Promise<LogEntry | null> {
  const { list, version, nextSigners } = manifest;
  let step = 1;
  while (version % (step * LINK_BASE) === 0 && version + step < most) step *= LINK_BASE;
  for (; step > 1; step /= LINK_BASE) {
    const target = Math.min(version + step, most);
    const entry = await readEntry(storage, list, target);
    if (entry === null) continue;
    const link = linkTo(entry.manifest, version);
    // Manifests of older publishers have no such hashes.
    if (link === undefined) continue;
    if (link !== hash) {
      throw new StoreError(
        "forked",
        `Version ${target} of ${list} does not follow version ${version} that was seen before`,
      );
    }
    if (await isSignedByOne(entry.note, nextSigners, verify)) return entry;
  }
  return null;
}

/**
 * Throws when there is no version after an entry, although the later version that the hint names exists. Without this
 * check, a reader that stays at the entry would not notice that it is missing newer versions until its own version
 * expires.
 */
export async function checkNoGap(
  storage: Storage,
  { manifest: { list, version } }: LogEntry,
  hint: number,
): Promise<void> {
  const isStored = async (version: number) =>
    (await storage.get(versionKey(list, version))) !== null;
  if (hint <= version || hint > MAX_VERSION || !(await isStored(hint))) return;
  // The next version may have been published in the meantime.
  if (await isStored(version + 1)) return;
  throw new StoreError(
    "missing",
    `Version ${version + 1} of ${list} is missing, but version ${hint} is there`,
  );
}

/** How far the clock of a publisher may be ahead of a reader's, in milliseconds. */
const MAX_AHEAD = 24 * 60 * 60 * 1000;

/**
 * Throws when a manifest is past its expiry, or was signed by a publisher whose clock is far ahead: such a manifest
 * would expire too late to protect against a mirror that holds back newer versions.
 */
export function checkTimes({ manifest }: LogEntry, now: number): void {
  const { list, version, issued, expires } = manifest;
  if (now >= expires) {
    const when = new Date(expires).toISOString();
    throw new StoreError("expired", `Version ${version} of ${list} expired at ${when}`);
  }
  if (issued - now > MAX_AHEAD) {
    const when = new Date(issued).toISOString();
    throw new StoreError(
      "signed-in-future",
      `Version ${version} of ${list} says it was signed at ${when}, which is in the future`,
    );
  }
}

/**
 * Creates the next version in the log. `false` means that another publisher was faster.
 *
 * When it is unclear whether the storage created the key, the key is read back and compared.
 *
 * @throws {StoreError} `damaged` when the version can be neither created nor read: trying again would never end.
 */
export async function commit(
  storage: Storage,
  list: string,
  version: number,
  note: Uint8Array,
): Promise<boolean> {
  const key = versionKey(list, version);
  try {
    if (await storage.create(key, note)) return true;
  } catch (error) {
    if ((await storage.get(key)) === null) throw error;
  }
  const found = await storage.get(key);
  if (found !== null) return equalBytes(note, found);
  throw new StoreError(
    "damaged",
    `Version ${version} of ${list} can be neither created nor read: look at ${key} in the store`,
  );
}

/** Writes the hint where readers start. It may lag behind, because readers look for newer versions from there. */
export async function writeHint(storage: Storage, list: string, version: number): Promise<void> {
  await storage.put(headKey(list), encodeText(`${version}\n`));
}
