import {
  type AboutNames,
  countNames,
  encodeHostNamesIndex,
  type HostNames,
  type HostNamesIndex,
  lineOf,
  linesOfNames,
  type NameCounts,
  type NameLayer,
  objectsOfNames,
  readHostNamesIndex,
} from "../contents/host-names.ts";
import {
  encodeLines,
  inOnlyOne,
  joinedLines,
  joinLines,
  partsOf,
  type StoredLines,
} from "../contents/lines.ts";
import { StoreError } from "../error.ts";
import type { Manifest } from "../log/manifest.ts";
import { hashOf } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { type WriteObject, writeAtOnce } from "./object-writer.ts";
import { needsBase, stacked } from "./when-to-merge-layers.ts";

/** The names of a new version, before anything is written. */
export interface NewNames {
  readonly about: NameCounts & AboutNames;
  /** Distinct lines in ascending order. */
  readonly lines: readonly string[];
  /** The SHA-256 of all lines. */
  readonly whole: string;
}

/** A layer that is not stored yet. */
interface NewLayer {
  readonly level: number;
  readonly changed: readonly string[];
}

/** A host must fit on a line, and must not begin with a dot, which has a special meaning there. */
const HOST = /^[^.\n][^\n]*$/;

function wholeOf(lines: readonly string[]): Promise<string> {
  return hashOf(encodeLines(lines));
}

export async function newNamesOf({ hosts, ...about }: HostNames): Promise<NewNames> {
  const wrong = hosts.find(({ host }) => !HOST.test(host));
  if (wrong !== undefined) {
    throw new StoreError("invalid", `${JSON.stringify(wrong.host)} is not a host name`);
  }
  const sorted = hosts.map(lineOf).sort();
  const lines = sorted.filter((line, i) => line !== sorted[i - 1]);
  return { about: { ...countNames(lines), ...about }, lines, whole: await wholeOf(lines) };
}

/** A string that is the same for two versions with the same names. */
function identity(whole: string, { below, alone, ...about }: NameCounts & AboutNames): string {
  const { publicSuffixes, unnamed, isPublic = false } = about;
  const { covered, paths, addresses, unfit, hashes } = unnamed;
  const counts = [below.hosts, below.bytes, alone.hosts, alone.bytes, publicSuffixes];
  return JSON.stringify([whole, isPublic, counts, covered, paths, addresses, unfit, hashes]);
}

/** Whether a stored version has the same names as a new one. */
export async function hasSameNames(
  storage: Storage,
  { contents }: Manifest,
  fresh: NewNames | null,
): Promise<boolean> {
  if (contents.names === undefined || fresh === null) {
    return contents.names === undefined && fresh === null;
  }
  const index = await readHostNamesIndex(storage, contents.names);
  return identity(index.whole, index) === identity(fresh.whole, fresh.about);
}

/**
 * Writes the names and returns the hash of their index. The changes since the previous version are stored as one more
 * layer, which may be merged with others, or all names are stored as a new base.
 */
export async function writeNames(
  storage: Storage,
  write: WriteObject,
  { lines, about, whole }: NewNames,
  before: Manifest | null,
): Promise<string> {
  const known = before?.contents.names;
  const old = known === undefined ? null : await readHostNamesIndex(storage, known);
  const kept = new Set(old === null ? [] : [known!, ...objectsOfNames(old)]);

  async function writeLines(lines: readonly string[]): Promise<StoredLines> {
    const parts = await writeAtOnce(partsOf(lines), (part) => write(part, kept));
    return { lines: lines.length, parts };
  }

  async function merge(older: readonly NameLayer[], { level, changed }: NewLayer) {
    return { level, changed: await joinLines(storage, older, changed) };
  }

  async function writeLayer({ level, changed }: NewLayer): Promise<NameLayer> {
    return { level, ...(await writeLines(changed)) };
  }

  async function inLayers(): Promise<Pick<HostNamesIndex, "base" | "layers">> {
    if (old !== null) {
      const { base, layers } = old;
      const changed = await joinedLines(inOnlyOne(linesOfNames(storage, old), lines));
      if (changed.length === 0) return { base, layers };
      const changes = [...layers.map((layer) => layer.lines), changed.length];
      if (!needsBase(lines.length, lines.length, changes)) {
        const last = { level: 0, changed };
        return { base, layers: await stacked(layers, last, merge, writeLayer) };
      }
    }
    return { base: await writeLines(lines), layers: [] };
  }

  const index = { whole, ...(await inLayers()), ...about };
  return write(encodeHostNamesIndex(index), kept);
}
