import { UNFINISHED_FOLDER } from "../keys.ts";
import type { Storage } from "../storage.ts";

/*
 * A publisher that fails deletes the objects that it created, and garbage collection deletes old objects, but another
 * publisher may have found one of these objects and rely on it. So publishers and garbage collections leave a mark in
 * the folder of unfinished files, and then look for the marks of others. A publisher waits during deletions, and
 * nothing is deleted while another publisher is at work. Of two processes, at least the later one sees the mark of the
 * other.
 */

export const PUBLISHER = "publisher-";
export const CLEANER = "cleaner-";

/** Makes a unique name of lower-case letters, digits and hyphens. */
export type NewId = () => string;

export const randomId: NewId = () => crypto.randomUUID();

/** The mark of a publisher at work. */
export interface PublisherMark {
  readonly name: string;
  /**
   * The time when the publisher began, by the clock of the storage, in milliseconds since 1970; `null` when the storage
   * gives no time.
   */
  readonly begun: number | null;
}

/** Removes a mark. If that fails, the mark is left to garbage collection. */
export async function removeMark(storage: Storage, name: string): Promise<void> {
  await storage.delete(UNFINISHED_FOLDER + name).catch(() => {});
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
