import { checkCreateOnly } from "./check-create-only.ts";
import { commit, readNewest, type SeenVersion, writeHint } from "./commit-log.ts";
import { StoreError } from "./error.ts";
import type { HostNames } from "./host-names.ts";
import { checkListName } from "./keys.ts";
import { formatManifest, type Manifest } from "./manifest.ts";
import { newContentsOf, objectWriter, writeContents } from "./new-contents.ts";
import { hashOf } from "./objects.ts";
import { type Signer, signNote } from "./signed-note.ts";
import type { Storage } from "./storage/storage.ts";

/** Where to publish, and in whose name. */
export interface Renewal {
  readonly storage: Storage;
  readonly list: string;
  readonly signer: Signer;
  /** The keys that the newest version may be signed with, and one of which must sign the next version. */
  readonly publicKeys: readonly string[];
  /** How long the new version is valid, in milliseconds. */
  readonly lifetime: number;
  /** Signs anew when the newest version expires within so many milliseconds. */
  readonly renewWithin?: number;
  /** A version seen before, which the log must contain. */
  readonly seen?: SeenVersion | null;
  readonly now?: () => number;
  /** Finds out what would be published, and writes nothing. */
  readonly dryRun?: boolean;
}

/** What to publish besides. */
export interface Publication extends Renewal {
  /** The full hashes of all entries, 32 bytes each, in pieces of any length and in any order. */
  readonly fullHashes: readonly Uint8Array[];
  /**
   * Gives the names of hosts among the entries, when they are to be kept, cut into shards by so many bits. Whoever
   * reads the store can read them.
   */
  readonly names?: ((shardBits: number) => HostNames) | null;
  readonly withdrawn?: boolean;
}

/** What came of it. */
export interface Published {
  readonly outcome: "unchanged" | "changed" | "renewed";
  /** The newest version, ours or the one that was there; in a dry run the one that would be made. */
  readonly manifest: Manifest;
  readonly hash: string;
}

type Body = Pick<Manifest, "contents" | "change" | "withdrawn">;

/**
 * Creates the version after the newest one with what `bodyAfter` makes of that; `null` stands for no change.
 *
 * When another publisher is faster, all of it is done again on top of the other's version.
 */
async function publishNext(
  renewal: Renewal,
  bodyAfter: (before: Manifest | null) => Promise<Body | null>,
): Promise<Published> {
  const { storage, list, signer, publicKeys, lifetime } = renewal;
  const { renewWithin = 0, seen = null, now = Date.now, dryRun = false } = renewal;
  checkListName(list);
  if (!dryRun) await checkCreateOnly(storage);
  for (;;) {
    const newest = await readNewest(storage, list, publicKeys, seen);
    const before = newest?.manifest ?? null;
    const changed = await bodyAfter(before);
    if (changed === null && before === null) {
      throw new StoreError("missing", `The store has no list ${list}`);
    }
    if (changed === null && before!.expires - now() > renewWithin) {
      return { outcome: "unchanged", manifest: before!, hash: newest!.hash };
    }
    const { contents, change, withdrawn } = changed ?? { ...before!, change: null };
    const issued = now();
    const manifest: Manifest = {
      list,
      version: (before?.version ?? 0) + 1,
      previous: newest?.hash ?? null,
      issued,
      expires: issued + lifetime,
      contents,
      change,
      withdrawn,
      nextSigners: publicKeys,
    };
    const note = await signNote(formatManifest(manifest), signer);
    if (!dryRun) {
      if (!(await commit(storage, list, manifest.version, note))) continue;
      await writeHint(storage, list, manifest.version);
    }
    return { outcome: changed === null ? "renewed" : "changed", manifest, hash: hashOf(note) };
  }
}

/**
 * Publishes a new version of a list, unless nothing changed.
 *
 * Objects are written first. The difference is then applied to the old list, and the checksum compared. Only then is
 * the next manifest created.
 */
export async function publish(publication: Publication): Promise<Published> {
  const { storage, list, fullHashes, names = null, withdrawn = false } = publication;
  const { now = Date.now, dryRun = false } = publication;
  checkListName(list);
  const fresh = newContentsOf(list, fullHashes, now(), names);
  const namesHash = fresh.names === null ? undefined : hashOf(fresh.names.index);
  const write = objectWriter(storage, dryRun);
  return publishNext(publication, async (before) => {
    const isSame =
      before !== null &&
      before.contents.shards === hashOf(fresh.shardIndex) &&
      before.contents.names === namesHash &&
      before.withdrawn === withdrawn;
    return isSame
      ? null
      : { ...(await writeContents(storage, write, fresh, before, list)), withdrawn };
  });
}

/** Signs a list anew as it is, when it expires soon. */
export async function renew(renewal: Renewal): Promise<Published> {
  return publishNext(renewal, async () => null);
}
