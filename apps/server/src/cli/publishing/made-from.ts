import { createHash } from "node:crypto";
import type { Manifest } from "@x/list-store";
import type { Exception } from "../../publish/exceptions.ts";
import { parseSourceUrl } from "../../publish/fetch/source-url.ts";
import type { ListSource } from "../../publish/read-list.ts";
import type { ReadSource } from "../../publish/sightings.ts";
import type { SightingsFacts } from "../../publish/sightings-file.ts";
import { sha256Hex } from "../../storage/sha256.ts";
import { ownVersion } from "../context.ts";
import type { ListSettings } from "./list-settings.ts";

/*
 * What the newest version of a list was made from, so that unchanged sources need not be read again. The record is in the
 * file of sightings.
 */

const DAY = 24 * 60 * 60 * 1000;

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

/** Whether a record is of a version that is neither withdrawn nor rolled back. */
function isMadeFrom(
  { contents, withdrawn, restores }: Manifest,
  { entries }: Pick<SightingsFacts, "entries">,
): boolean {
  return !withdrawn && restores === undefined && contents.entries === entries;
}

/**
 * Whether nothing has changed since the newest version was made that requires reading the sources again, and no entry has
 * ended since. A record is valid for a day, and then everything is read once more.
 */
export async function isUnchanged(
  record: SightingsFacts,
  newest: Manifest,
  identity: string,
  sources: readonly ListSource[],
): Promise<boolean> {
  const age = Date.now() - record.read;
  if (age < 0 || age >= DAY || !isMadeFrom(newest, record)) return false;
  if (record.identity !== identity || sources.length !== record.sources.length) return false;
  const pairs = record.sources.map((known, i) => [known, sources[i]!] as const);
  if (pairs.some(([{ nextEnd }, { asOf }]) => nextEnd !== null && nextEnd * 1000 <= asOf))
    return false;
  // The contents are read only if all lengths are the same.
  for (const [{ bytes }, { source }] of pairs) if ((await source.size()) !== bytes) return false;
  for (const [{ sha256 }, { source }] of pairs)
    if ((await source.sha256()) !== sha256) return false;
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
  record: SightingsFacts | null,
): (name: string) => boolean {
  if (newest === null) return () => true;
  if (record === null || !isMadeFrom(newest, record)) return () => false;
  const before = record.sources.map(({ name }) => name);
  const now = settings.sources.map(({ source }) => parseSourceUrl(source)?.shown ?? source);
  if (!before.every((name) => now.includes(name))) return () => false;
  return (name) => !before.includes(name);
}

/**
 * Wraps a source, and computes its length and SHA-256 while it is read. There is no result until all bytes have been
 * read, and for a source that cannot be read again, such as a pipe.
 */
export function identified(opened: ListSource): {
  readonly source: ListSource;
  readonly found: () => Promise<Pick<ReadSource, "bytes" | "sha256">>;
} {
  const { source } = opened;
  const hash = createHash("sha256");
  let bytes = 0;
  let isOver = false;
  async function* pieces() {
    for await (const piece of source.pieces()) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
    isOver = true;
  }
  return {
    source: { ...opened, source: { ...source, pieces } },
    async found() {
      if (!isOver || (await source.size()) === null) return {};
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}
