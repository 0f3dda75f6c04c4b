import { readLayers } from "../contents/layers.ts";
import type { PrefixWords } from "../contents/prefix-words.ts";
import {
  loadSnapshot,
  type MakeSnapshot,
  makeSnapshot,
  type Snapshot,
  stepToSnapshot,
} from "../contents/snapshot.ts";
import type { StoredObject } from "../contents/stored-prefixes.ts";
import { StoreError } from "../error.ts";
import type { LogEntry } from "../manifest.ts";
import type { TrustedLog } from "../trusted-log.ts";
import type { LoadedList, LoadOptions } from "./loaded-list.ts";

/**
 * The prefixes of a version, made from older ones by steps; `null` when the steps do not result in the signed prefixes.
 */
async function stepped(
  { manifest }: LogEntry,
  words: PrefixWords,
  steps: readonly StoredObject[],
  make: MakeSnapshot,
): Promise<Snapshot | null> {
  try {
    return await stepToSnapshot(manifest, words, steps, make);
  } catch (error) {
    // A publisher wrote a wrong step, or the reader's prefixes belong to another version.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/**
 * Makes the newest version of a log from the prefixes that the reader keeps and from steps, or else from the whole
 * list.
 *
 * @param before the prefixes of four bytes that the reader keeps; `null` if there are none.
 * @param steps the steps since then; `null` when `readSteps` found that the whole list takes fewer bytes, or that steps
 * are missing.
 */
export async function makeNewestList(
  { storage, sha256, makeSnapshot: make = (parts) => makeSnapshot(parts, sha256) }: LoadOptions,
  log: TrustedLog,
  before: Snapshot | null,
  steps: readonly StoredObject[] | null,
): Promise<LoadedList> {
  const { newest: entry, entries } = log;
  const { manifest } = entry;
  let snapshot: Snapshot | null = null;
  if (before !== null) {
    const { words, prefixes } = before;
    // The prefixes and the entry may belong to different versions, because a reader keeps them in two files.
    if (prefixes.checksum === manifest.contents.checksum) snapshot = { prefixes, words };
    else if (steps !== null) snapshot = await stepped(entry, words, steps, make);
  }
  if (snapshot !== null) return { entry, ...snapshot, log: entries };
  const layers = await readLayers(storage, manifest);
  return { entry, ...(await loadSnapshot(storage, manifest, layers, make)), layers, log: entries };
}
