import { encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { UNFINISHED_FOLDER } from "../keys.ts";
import type { Storage } from "../storage.ts";
import { isDeleting } from "./exclusive-deletion.ts";
import { type NewId, PUBLISHER, type PublisherMark, pause, randomId, removeMark } from "./marks.ts";

/** The wait, in milliseconds, before a publisher checks again whether objects are still being deleted. */
const PAUSE = 20;

/**
 * Leaves a mark that a publisher is at work, and waits until no process is deleting objects.
 *
 * Throws `not-create-only` when the storage replaces an existing key, because publishers could then overwrite each
 * other's versions.
 */
export async function markPublisher(
  storage: Storage,
  newId: NewId = randomId,
): Promise<PublisherMark> {
  const name = PUBLISHER + newId();
  const key = UNFINISHED_FOLDER + name;
  const bytes = encodeText("A publisher is at work.\n");
  try {
    await storage.create(key, bytes);
    if (await storage.create(key, bytes)) {
      throw new StoreError(
        "not-create-only",
        "The storage replaces keys that exist, so two publishers could overwrite each other's versions",
      );
    }
    const start = performance.now();
    for (;;) {
      const marks = await storage.list(UNFINISHED_FOLDER);
      const begun = marks.find((mark) => mark.name === name)?.modified ?? null;
      const waited = performance.now() - start;
      if (!marks.some((other) => isDeleting(other, waited + (begun ?? 0)))) return { name, begun };
      await pause(PAUSE);
    }
  } catch (error) {
    await removeMark(storage, name);
    throw error;
  }
}
