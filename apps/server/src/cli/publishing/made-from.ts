import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Exception } from "../../publish/exceptions.ts";
import { parseSourceUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import type { Source } from "../../publish/source.ts";
import { sha256Hex } from "../../storage/sha256.ts";
import { ownVersion } from "../context.ts";
import type { ListSettings } from "./list-settings.ts";

/** A source when it was read. */
interface ReadBytes {
  readonly name: string;
  readonly bytes: number;
  /** The SHA-256 in hex. */
  readonly sha256: string;
}

/** A record of the inputs of the newest version of a list, so that unchanged sources need not be read again. */
export interface MadeFrom {
  /** When the sources were read, in milliseconds since 1970. */
  readonly read: number;
  /** A hash of the settings, the exceptions, and the versions of the program and Node with which the sources were read. */
  readonly settings: string;
  readonly sources: readonly ReadBytes[];
  /** The identifier of the published entries, as in {@link Manifest}. */
  readonly entries: string;
  /** The messages about the sources. */
  readonly said: readonly string[];
}

const FORMAT = "urlhash-made-from/3";
const DAY = 24 * 60 * 60 * 1000;

const fileOf = (folder: string, list: string) => join(folder, `${list}.json`);

/** Reads the record of a list. Returns `null` if the record is missing, damaged or in another format. */
export async function readMadeFrom(folder: string, list: string): Promise<MadeFrom | null> {
  const text = await ifThere(readFile(fileOf(folder, list), "utf8"));
  if (text === null) return null;
  try {
    const { format, sha256, record } = JSON.parse(text);
    return format === FORMAT && sha256Hex(JSON.stringify(record)) === sha256 ? record : null;
  } catch {
    // The file is not valid JSON.
    return null;
  }
}

/** Replaces the record of a list. `null` means that its sources must be read again. */
export async function writeMadeFrom(
  folder: string,
  list: string,
  record: MadeFrom | null,
): Promise<void> {
  if (record === null) return rm(fileOf(folder, list), { force: true });
  const sha256 = sha256Hex(JSON.stringify(record));
  const text = `${JSON.stringify({ format: FORMAT, sha256, record })}\n`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await changeFile(fileOf(folder, list), async () => text);
}

/** The hash of everything but the sources with which a list is read. */
export function identityOf(settings: ListSettings, exceptions: readonly Exception[]): string {
  const { sources, lifetime: _, "min-interval": __, "max-removed": ___, ...reading } = settings;
  const read = sources.map((each) => [
    each.source,
    each.format,
    each.column,
    each.where,
    each["expire-after"],
    each["date-column"],
  ]);
  const facts = JSON.stringify([ownVersion(), process.version, reading, read]);
  // There may be a million hosts that are never blocked.
  const lines = exceptions.map(
    ({ expression, where, isNeverBlocked }) => `${isNeverBlocked} ${expression} ${where}`,
  );
  return sha256Hex([facts, ...lines].join("\n"));
}

/** Whether a record describes a version that is neither withdrawn nor rolled back. */
function isMadeFrom({ contents, withdrawn, restores }: Manifest, { entries }: MadeFrom): boolean {
  const isHeld = withdrawn || restores !== undefined;
  return !isHeld && contents.entries === entries;
}

/**
 * Whether nothing has changed since the newest version was made that requires reading the sources again. A record is
 * valid for a day, and then everything is read once more.
 */
export async function isUnchanged(
  record: MadeFrom,
  newest: Manifest,
  identity: string,
  sources: readonly ListSource[],
): Promise<boolean> {
  const age = Date.now() - record.read;
  if (age < 0 || age >= DAY || !isMadeFrom(newest, record)) return false;
  if (record.settings !== identity) return false;
  const known = record.sources;
  if (sources.length !== known.length) return false;
  // The contents are read only if all lengths are the same.
  for (const [i, { source }] of sources.entries())
    if ((await source.size()) !== known[i]!.bytes) return false;
  for (const [i, { source }] of sources.entries())
    if ((await source.sha256()) !== known[i]!.sha256) return false;
  return true;
}

/**
 * Returns a function that says which sources a list can do without while they have no good copy: those that its newest
 * version was certainly not made from, so that leaving them out removes no entries. The list can do without none of its
 * sources if one that it was made from has gone, because a new one may replace it.
 */
export function newSources(
  settings: ListSettings,
  newest: Manifest | null,
  record: MadeFrom | null,
): (name: string) => boolean {
  if (newest === null) return () => true;
  if (record === null || !isMadeFrom(newest, record)) return () => false;
  const before = record.sources.map(({ name }) => name);
  const now = settings.sources.map(({ source }) => parseSourceUrl(source)?.shown ?? source);
  if (!before.every((name) => now.includes(name))) return () => false;
  return (name) => !before.includes(name);
}

/**
 * Wraps a source, and computes its length and SHA-256 while it is read. The result is `null` until all bytes have been
 * read, and for a source that cannot be read again, such as a pipe.
 */
function identified(source: Source): {
  readonly source: Source;
  readonly found: () => Promise<ReadBytes | null>;
} {
  const hash = createHash("sha256");
  let bytes = 0;
  let isOver = false;
  return {
    source: {
      ...source,
      async *pieces() {
        for await (const piece of source.pieces()) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
        isOver = true;
      },
    },
    async found() {
      if (!isOver || (await source.size()) === null) return null;
      return { name: source.name, bytes, sha256: hash.digest("hex") };
    },
  };
}

/**
 * Begins a record. Returns the sources to read and a function that makes the record after publishing; it returns `null`
 * if the sources cannot be compared later, as with a pipe.
 */
export function newRecord(
  identity: string,
  opened: readonly ListSource[],
): {
  readonly sources: readonly ListSource[];
  readonly record: (published: Manifest, said: MadeFrom["said"]) => Promise<MadeFrom | null>;
} {
  const read = Date.now();
  const all = opened.map(({ source }) => identified(source));
  return {
    sources: opened.map((each, i) => ({ ...each, source: all[i]!.source })),
    async record({ contents: { entries } }, said) {
      const found = await Promise.all(all.map((each) => each.found()));
      const sources = found.filter((each) => each !== null);
      if (sources.length < all.length) return null;
      return { read, settings: identity, sources, entries, said };
    },
  };
}
