import { type BlockLink, historyLinks, isWritten, linksIn, type WrittenLink } from "./block.ts";
import { addContents } from "./contents.ts";
import { isLost, StoreError, unlessMissing } from "./error.ts";
import { inParallel } from "./in-parallel.ts";
import type { LogEntry, Manifest } from "./manifest.ts";
import { getObject, OBJECTS_FOLDER, objectKey, remembering, type Storage } from "./storage.ts";

/** Copies each object at most once. */
export interface ObjectCopier {
  /** Copies all objects of a version. Throws `missing` when one of them is gone. */
  copyVersion(manifest: Manifest): Promise<void>;
  /** Copies the blocks that end at a version and are part of the history of the list, if they still exist. */
  copyHistory(manifest: Manifest): Promise<void>;
}

async function objectsOf(storage: Storage, manifest: Manifest): Promise<Set<string>> {
  const objects = new Set<string>();
  await addContents(objects, storage, manifest);
  return objects;
}

/**
 * Returns a function that gives the time when an object was written, in milliseconds since 1970; `undefined` if there
 * is no such object. Each folder is listed at most once.
 */
function objectTimes(storage: Storage): (hash: string) => Promise<number | null | undefined> {
  const folders = new Map<string, Promise<ReadonlyMap<string, number | null>>>();
  return async (hash) => {
    const folder = `${OBJECTS_FOLDER}${hash.slice(0, 2)}/`;
    let times = folders.get(folder);
    if (times === undefined) {
      times = storage
        .list(folder)
        .then((entries) => new Map(entries.map(({ name, modified }) => [name, modified])));
      folders.set(folder, times);
    }
    return (await times).get(hash);
  };
}

/** Whether a storage has every object of a version. Only indexes are read. Other objects are looked up in listings. */
export async function isWhole(storage: Storage, manifest: Manifest): Promise<boolean> {
  const timeOf = objectTimes(storage);
  try {
    const objects = await objectsOf(storage, manifest);
    let isMissingOne = false;
    await inParallel(objects, async (hash) => {
      if ((await timeOf(hash)) === undefined) isMissingOne = true;
    });
    return !isMissingOne;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

interface CopierOptions {
  readonly from: Storage;
  readonly to: Storage;
  /** The newest version of the copy. */
  readonly own: Manifest | null;
  /** Whether to read the objects that `own` names, because they may be damaged. */
  readonly checksCopy: boolean;
  /** The time when copying began, by the clock of `to`; `null` when `to` has none. */
  readonly begun: number | null;
  /** The verified entry of a version, if it was read. */
  readonly entryOf: (version: number) => LogEntry | undefined;
  /** Called after each object that was copied. `isRepair` says whether the copy should already have had the object. */
  readonly onCopied: (bytes: number, isRepair: boolean) => void;
}

/** The objects of the copy's newest version. Unless `isTrusted` is `true`, they may be damaged, and must be read. */
async function objectsOfCopy({ from, to, own, checksCopy }: CopierOptions) {
  const named = new Set<string>();
  let isTrusted = !checksCopy;
  if (own !== null) {
    await addContents(named, to, own).catch(async (error) => {
      if (!isLost(error)) throw error;
      // If an index is lost, other objects may be lost, too.
      isTrusted = false;
      await addContents(named, from, own).catch(unlessMissing);
    });
  }
  return { named, isTrusted };
}

/** The bytes of an object of the copy; `null` if the object is damaged or cannot be read. */
async function goodBytes(to: Storage, hash: string): Promise<Uint8Array | null> {
  return getObject(to, hash).catch((error) => {
    if (error instanceof StoreError) return null;
    throw error;
  });
}

/** Returns a function that throws `forked` unless a block begins at the version that its link names. */
function checkOf(
  { list }: Manifest,
  { after, object }: WrittenLink,
  entryOf: CopierOptions["entryOf"],
): (bytes: Uint8Array) => void {
  return (bytes) => {
    const older = entryOf(after);
    if (older === undefined) return;
    if (isSameLinks(linksIn({ object, bytes }), older.manifest.blocks)) return;
    throw new StoreError(
      "forked",
      `The object ${object} does not begin at version ${after} of ${list}`,
    );
  };
}

function isSameLinks(links: readonly BlockLink[], expected: readonly BlockLink[]): boolean {
  const isSame = (link: BlockLink, other: BlockLink | undefined) =>
    (["after", "manifest", "object", "bytes", "hashes"] as const).every(
      (field) => link[field] === other?.[field],
    );
  return links.length === expected.length && links.every((link, i) => isSame(link, expected[i]));
}

/**
 * Returns a copier, which lists the objects of the copy folder by folder.
 *
 * Objects that an earlier copier left, and that no version of the copy refers to yet, may be old enough for garbage
 * collection. So these objects are written again, which gives them a new time.
 */
export async function objectCopier(options: CopierOptions): Promise<ObjectCopier> {
  const { from, to, begun, entryOf, onCopied } = options;
  const timeOf = objectTimes(to);
  // Blocks on the way to a base belong to many versions.
  const blocks = remembering(from);
  const copied = new Set<string>();
  const { named, isTrusted } = await objectsOfCopy(options);

  /**
   * Whether an object of the copy, last written at `time`, need not be copied. An object that garbage collection might
   * delete is written again.
   */
  async function keeps(hash: string, time: number | null): Promise<boolean> {
    const isKept = (time ?? 0) >= (begun ?? Infinity) || named.has(hash);
    if (isKept && isTrusted) return true;
    const bytes = await goodBytes(to, hash);
    if (bytes !== null && !isKept) await to.put(objectKey(hash), bytes);
    return bytes !== null;
  }

  /** @param check called with the bytes before they are written. The function may throw. */
  async function copyObject(hash: string, check?: (bytes: Uint8Array) => void): Promise<void> {
    if (copied.has(hash)) return;
    const time = await timeOf(hash);
    const isThere = time !== undefined;
    if (!isThere || !(await keeps(hash, time))) {
      const bytes = await getObject(from, hash);
      check?.(bytes);
      if (isThere) await to.put(objectKey(hash), bytes);
      else await to.create(objectKey(hash), bytes);
      onCopied(bytes.length, named.has(hash));
    }
    copied.add(hash);
  }

  const copyBlock = (manifest: Manifest, link: WrittenLink) =>
    copyObject(link.object, checkOf(manifest, link, entryOf));

  return {
    async copyVersion(manifest) {
      for (const link of manifest.blocks.filter(isWritten)) await copyBlock(manifest, link);
      await inParallel(await objectsOf(blocks, manifest), (hash) => copyObject(hash));
    },
    async copyHistory(manifest) {
      for (const link of historyLinks(manifest.version, manifest.blocks).filter(isWritten)) {
        await copyBlock(manifest, link).catch(unlessMissing);
      }
    },
  };
}
