import { stepHead } from "../contents/step.ts";
import { StoreError } from "../error.ts";
import { OBJECTS_FOLDER, objectKey } from "../keys.ts";
import type { LogEntry } from "../log/commit-log.ts";
import type { Manifest, StepLink } from "../log/manifest.ts";
import { getObject } from "../objects.ts";
import { addContents } from "../publishing/collect-garbage.ts";
import type { Storage } from "../storage/storage.ts";
import { inParallel } from "./in-parallel.ts";

const AT_ONCE = 8;

/** Copies each object at most once. */
export interface ObjectCopier {
  /** Copies everything that a version needs. Throws `missing` when some of it is gone. */
  copyVersion(manifest: Manifest): Promise<void>;
  /** Copies the objects with the changes and steps of a version, if they still exist. */
  copyChange(manifest: Manifest): Promise<void>;
}

/** When each object of a folder was written, in milliseconds since 1970. */
type Times = ReadonlyMap<string, number | null>;

/** Whether an error means that something does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof StoreError && error.code === "missing";
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

async function objectsOf(storage: Storage, manifest: Manifest): Promise<Set<string>> {
  const objects = new Set<string>();
  await addContents(objects, storage, manifest);
  return objects;
}

/**
 * Returns a copier of objects. It assumes that the copy has the objects of `newest`, the copy's newest version, and
 * looks for all others folder by folder.
 *
 * Objects that an earlier copier left, and that no version of the copy refers to yet, may be old enough for garbage
 * collection. So they are written again, which gives them a new time.
 *
 * @param begun when copying began, by the clock of `to`; `null` when `to` has none.
 * @param entryOf the verified entry of a version, if it was read.
 * @param onCopied called with the number of bytes of each object that was copied.
 */
export async function objectCopier(
  from: Storage,
  to: Storage,
  newest: Manifest | null,
  begun: number | null,
  entryOf: (version: number) => LogEntry | undefined,
  onCopied: (bytes: number) => void,
): Promise<ObjectCopier> {
  const known = new Set<string>();
  if (newest !== null) await addContents(known, to, newest).catch(unlessMissing);
  const folders = new Map<string, Promise<Times>>();

  function timesIn(folder: string): Promise<Times> {
    let times = folders.get(folder);
    if (times === undefined) {
      times = to
        .list(folder)
        .then((entries) => new Map(entries.map(({ name, modified }) => [name, modified])));
      folders.set(folder, times);
    }
    return times;
  }

  /** Gives an object of the copy a new time. Returns `false` if it is missing or damaged there. */
  async function renewed(hash: string): Promise<boolean> {
    const bytes = await getObject(to, hash).catch((error) => {
      if (error instanceof StoreError) return null;
      throw error;
    });
    if (bytes !== null) await to.put(objectKey(hash), bytes);
    return bytes !== null;
  }

  /** @param check called with the bytes before they are written. It may throw. */
  async function copyObject(hash: string, check?: (bytes: Uint8Array) => void): Promise<void> {
    if (known.has(hash)) return;
    const times = await timesIn(`${OBJECTS_FOLDER}${hash.slice(0, 2)}/`);
    const isThere = times.has(hash);
    const isNew = isThere && (times.get(hash) ?? 0) >= (begun ?? Infinity);
    if (!isNew && !(isThere && (await renewed(hash)))) {
      const bytes = await getObject(from, hash);
      check?.(bytes);
      if (isThere) await to.put(objectKey(hash), bytes);
      else await to.create(objectKey(hash), bytes);
      onCopied(bytes.length);
    }
    known.add(hash);
  }

  const checkOf =
    ({ list }: Manifest, { after, object }: StepLink) =>
    (bytes: Uint8Array) => {
      const older = entryOf(after);
      if (older === undefined) return;
      const { manifest, steps } = stepHead({ object, bytes });
      const expected = older.manifest.steps ?? [];
      if (manifest === older.hash && JSON.stringify(steps) === JSON.stringify(expected)) return;
      throw new StoreError(
        "forked",
        `The object ${object} does not begin at version ${after} of ${list}`,
      );
    };

  return {
    async copyVersion(manifest) {
      for (const step of manifest.steps ?? []) {
        await copyObject(step.object, checkOf(manifest, step));
      }
      await inParallel(await objectsOf(from, manifest), AT_ONCE, (hash) => copyObject(hash));
    },
    async copyChange(manifest) {
      for (const step of manifest.steps ?? []) {
        await copyObject(step.object, checkOf(manifest, step)).catch(unlessMissing);
      }
      const { change } = manifest;
      if (change === null) return;
      await copyObject(change.added).catch(unlessMissing);
      await copyObject(change.removed).catch(unlessMissing);
    },
  };
}
