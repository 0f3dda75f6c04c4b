import { type Base, type BlockLink, isBlock } from "./block.ts";
import { StoreError } from "./error.ts";
import { checkPublicKey, textOfNote } from "./signed-note.ts";
import { hashOf, isHash, isListName } from "./storage.ts";

/** The contents of a list: the prefixes that clients keep, and the full hashes that confirm a match. */
export interface Contents {
  /**
   * The first version with these prefixes. Clients' tokens name this version, so signing a list again changes nothing
   * for clients.
   */
  readonly since: number;
  readonly prefixes: number;
  readonly fullHashes: number;
  /** The SHA-256 of all prefixes in ascending order, as clients compute it. */
  readonly checksum: string;
  /** Identifies the set of full hashes: equal sets have equal values. */
  readonly entries: string;
}

/** Why the entries of a list are on it, and whom to tell about a mistake, in the words of its publisher. */
export interface About {
  /** One line, such as `phishing`. */
  readonly reason?: string | undefined;
  /** An email address or the URL of a page. Check it before you make a link of it. */
  readonly contact?: string | undefined;
}

/** One entry of a list's commit log. */
export interface Manifest {
  readonly list: string;
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  /** The SHA-256 of the previous manifest with its signatures; `null` for version 1. */
  readonly previous: string | null;
  /** The first version in this format: 1, or a later one if an older store was upgraded. */
  readonly first: number;
  /** The blocks that end at this version, the shortest first. The first version has none. */
  readonly blocks: readonly BlockLink[];
  /** The newest block that begins at nothing. */
  readonly base: Base;
  /** Times in milliseconds since 1970. */
  readonly issued: number;
  readonly expires: number;
  readonly contents: Contents;
  /**
   * The numbers of added and removed full hashes, for people to read; `null` when the version was only signed again.
   */
  readonly change: { readonly addedEntries: number; readonly removedEntries: number } | null;
  /** Whether the list was withdrawn and is therefore empty on purpose. */
  readonly withdrawn: boolean;
  /**
   * `true` when the list was retired: it is withdrawn for good. The version does not expire, and only a version that
   * retires the list, too, may follow it.
   */
  readonly retired?: true | undefined;
  /**
   * `true` when all entries are for whole hosts, such as `evil.example/`, so that no other expressions need be looked
   * up.
   */
  readonly onlyHosts?: true | undefined;
  /** In a rollback, the version whose entries these are. */
  readonly restores?: number | undefined;
  readonly about?: About | undefined;
  /** The public keys, one of which must sign the next version. */
  readonly nextSigners: readonly string[];
}

/** When a version that retires a list expires, because a manifest must name a time. */
export const NEVER: number = Date.UTC(9999, 11, 31);

const FORMAT = 3;
const FIRST_LINE = `urlhash-manifest/${FORMAT}\n`;

export function formatManifest(manifest: Manifest): string {
  const { issued, expires, ...rest } = manifest;
  const times = {
    issued: new Date(issued).toISOString(),
    expires: new Date(expires).toISOString(),
  };
  return `${FIRST_LINE}${JSON.stringify({ ...rest, ...times })}\n`;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown) => typeof value === "number" && Number.isFinite(value);

function isContents(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { since, prefixes, fullHashes, checksum, entries }: Partial<Contents> = value;
  return [since, prefixes, fullHashes].every(isCount) && [checksum, entries].every(isHash);
}

function isChange(value: Partial<NonNullable<Manifest["change"]>> | null | undefined): boolean {
  if (value === null) return true;
  if (typeof value !== "object") return false;
  return [value.addedEntries, value.removedEntries].every(isCount);
}

/** Whether the blocks of a version begin where they may. The first of them begins at the previous version. */
function areBlocks({ blocks, first, version }: Partial<Manifest>): boolean {
  if (!Array.isArray(blocks)) return false;
  if (first === version) return blocks.length === 0;
  return (
    blocks.length < 256 &&
    blocks[0]?.after === version! - 1 &&
    blocks[0].object !== null &&
    blocks.every(
      (block, i) =>
        (block.object === null || isBlock(block)) &&
        isHash(block.manifest) &&
        isCount(block.after) &&
        block.after >= first! &&
        block.after < (blocks[i - 1]?.after ?? version!),
    )
  );
}

function isBase(base: Partial<Base> | undefined, { first, version }: Partial<Manifest>): boolean {
  if (!isBlock(base) || base!.hashes === null || !isCount(base!.version)) return false;
  return base!.version! >= first! && base!.version! <= version!;
}

/** Whether a version that retires its list is empty and does not expire. */
function isRetirement({ retired, withdrawn, contents, expires }: Partial<Manifest>): boolean {
  return retired === true && withdrawn === true && contents!.fullHashes === 0 && expires === NEVER;
}

const MOST_WORDS = 1000;

/** Whether a text is missing, or one line of words to show to people. */
function areWords(text: unknown): boolean {
  if (text === undefined) return true;
  return typeof text === "string" && text.length <= MOST_WORDS && /^\P{Cc}+$/u.test(text);
}

export function isAbout(value: unknown): value is About {
  if (typeof value !== "object" || value === null) return false;
  const { reason, contact } = value as About;
  return areWords(reason) && areWords(contact);
}

function isManifest(value: Partial<Manifest>): value is Manifest {
  const { list, version, first, previous, base, issued, expires, contents, change } = value;
  const { withdrawn, retired, onlyHosts, restores, about, nextSigners } = value;
  return (
    typeof list === "string" &&
    isListName(list) &&
    isCount(version) &&
    (version === 1 ? previous === null : isHash(previous)) &&
    isCount(first) &&
    first! >= 1 &&
    first! <= version! &&
    areBlocks(value) &&
    isBase(base, value) &&
    isTime(issued) &&
    isTime(expires) &&
    isContents(contents) &&
    isChange(change) &&
    typeof withdrawn === "boolean" &&
    (retired === undefined || isRetirement(value)) &&
    (onlyHosts === undefined || onlyHosts === true) &&
    (restores === undefined || isCount(restores)) &&
    (about === undefined || isAbout(about)) &&
    Array.isArray(nextSigners) &&
    nextSigners.length > 0 &&
    nextSigners.every((key) => typeof key === "string")
  );
}

/** Parses the manifest in a note without checking signatures. `where` names the manifest in error messages. */
function parseManifest(note: Uint8Array, where: string): Manifest {
  const text = textOfNote(note);
  if (text?.startsWith(FIRST_LINE)) {
    try {
      const read = JSON.parse(text.slice(FIRST_LINE.length));
      const manifest = {
        ...read,
        issued: Date.parse(read.issued),
        expires: Date.parse(read.expires),
      };
      if (isManifest(manifest)) {
        manifest.nextSigners.forEach(checkPublicKey);
        return manifest;
      }
    } catch {
      // The error is thrown below.
    }
  }
  const [, format] = /^urlhash-manifest\/([1-9]\d{0,5})\n/.exec(text ?? "") ?? [];
  if (Number(format) > FORMAT) {
    throw new StoreError(
      "newer-format",
      `${where} is in the newer format urlhash-manifest/${format}: update this program to read it`,
    );
  }
  if (Number(format) < FORMAT) {
    throw new StoreError(
      "older-format",
      `${where} is in the older format urlhash-manifest/${format}: its publisher must upgrade the store (urlhash-server upgrade-store)`,
    );
  }
  throw new StoreError("damaged", `${where} is damaged: it is not a manifest`);
}

/** A manifest as it was read from the log. */
export interface LogEntry {
  readonly manifest: Manifest;
  /** The SHA-256 of the note, in lower-case hex. The next manifest contains this hash. */
  readonly hash: string;
  readonly note: Uint8Array;
}

/** Parses the note of a version. Throws `damaged`, `misplaced` or `newer-format`. Signatures are not verified. */
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

export function missingVersion(list: string, version: number): StoreError {
  return new StoreError("missing", `Version ${version} of ${list} is missing`);
}

export function missingList(list: string): StoreError {
  return new StoreError("missing", `The store has no list ${list}`);
}

/** The maximum time by which a publisher's clock may be ahead of a reader's, in milliseconds. */
const MAX_AHEAD = 24 * 60 * 60 * 1000;

/**
 * Throws `expired` when a manifest is past its expiry, and `signed-in-future` when it was signed more than a day in the
 * future. A manifest from the future would expire too late to protect against a mirror that holds back newer versions.
 */
export function checkTimes(
  { manifest }: { readonly manifest: Pick<Manifest, "list" | "version" | "issued" | "expires"> },
  now: number,
): void {
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
