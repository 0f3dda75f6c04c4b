import { decodeText, encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { getObject, isHash } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { changedLines, type StoredLines } from "./lines.ts";

/*
 * The host names on a list, from which resolvers' zones are made. Apart from host names, a store has only hashes of its
 * entries. A store has names only if the publisher keeps them.
 *
 * The names are stored as the lines of an older version, the base, with layers of changes on top. Each line has one
 * host. A dot before a host means that the entry also covers the hosts below it. An index object counts the names and
 * lists the objects.
 */

/** The number of entries without a host name, by reason. */
export interface UnnamedCounts {
  /** Hosts that the entry of another host covers. */
  readonly covered: number;
  /** Entries that cover only part of a host. */
  readonly paths: number;
  /** Hosts that are IP addresses. */
  readonly addresses: number;
  /** Hosts that are not valid DNS names, or that are too long for a zone. */
  readonly unfit: number;
  /** Entries whose source has only hashes. */
  readonly hashes: number;
}

export interface AboutNames {
  /** The number of hosts that are public suffixes, such as `github.io`. */
  readonly publicSuffixes: number;
  readonly unnamed: UnnamedCounts;
  /** Whether the names are public, so that a server may show them to anyone. */
  readonly isPublic?: boolean | undefined;
}

/** A host. `isBelow` says whether its entry also covers the hosts below it. */
export interface NamedHost {
  readonly host: string;
  readonly isBelow: boolean;
}

/** The host names of a list, in memory. */
export interface HostNames extends AboutNames {
  /** The hosts, in any order. */
  readonly hosts: readonly NamedHost[];
}

/** The number of hosts of one kind, and the total length of their names in bytes. */
export interface HostCount {
  readonly hosts: number;
  readonly bytes: number;
}

export interface NameCounts {
  /** Hosts whose entries also cover the hosts below them. */
  readonly below: HostCount;
  /** Hosts whose entries cover only the hosts themselves. */
  readonly alone: HostCount;
}

/** The changes since the base, or since the previous layer. */
export interface NameLayer extends StoredLines {
  /** Level 0 is the change of one version. Eight layers of one level are merged into one of the next. */
  readonly level: number;
}

/** The contents of the index object for a list's host names. */
export interface HostNamesIndex extends AboutNames, NameCounts {
  /** The SHA-256 of all lines. */
  readonly whole: string;
  readonly base: StoredLines;
  /** The layers, the oldest first. */
  readonly layers: readonly NameLayer[];
}

/** The maximum length of an index, in bytes. Even the index for a hundred million hosts is far shorter. */
const MAX_INDEX_BYTES = 2 ** 23;

export function encodeHostNamesIndex(index: HostNamesIndex): Uint8Array {
  return encodeText(`${JSON.stringify(index)}\n`);
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isHostCount = (value: Partial<HostCount>) => isCount(value.hosts) && isCount(value.bytes);
const isLines = ({ lines, parts }: Partial<StoredLines>) => isCount(lines) && parts!.every(isHash);

function isIndex({ whole, base, layers, below, alone, ...about }: HostNamesIndex): boolean {
  const { publicSuffixes, unnamed, isPublic } = about;
  const { covered, paths, addresses, unfit, hashes } = unnamed;
  return (
    isHash(whole) &&
    [base, ...layers].every(isLines) &&
    layers.every(({ level }) => isCount(level)) &&
    (isPublic === undefined || typeof isPublic === "boolean") &&
    isHostCount(below) &&
    isHostCount(alone) &&
    [publicSuffixes, covered, paths, addresses, unfit, hashes].every(isCount)
  );
}

/** Reads the index of a list's host names. `hash` is the field `contents.names` of a manifest. */
export async function readHostNamesIndex(storage: Storage, hash: string): Promise<HostNamesIndex> {
  const text = decodeText(await getObject(storage, hash, MAX_INDEX_BYTES));
  try {
    const index = JSON.parse(text) as HostNamesIndex;
    if (isIndex(index)) return index;
  } catch {
    // The error is thrown below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of names`);
}

/** The hashes of the objects that an index names. */
export function objectsOfNames({ base, layers }: HostNamesIndex): string[] {
  return [base, ...layers].flatMap(({ parts }) => parts);
}

export function lineOf({ host, isBelow }: NamedHost): string {
  return isBelow ? `.${host}` : host;
}

function hostOf(line: string): NamedHost {
  const isBelow = line.startsWith(".");
  return { host: isBelow ? line.slice(1) : line, isBelow };
}

function countOf(lines: readonly string[]): HostCount {
  return { hosts: lines.length, bytes: lines.reduce((sum, { length }) => sum + length, 0) };
}

export function countNames(lines: readonly string[]): NameCounts {
  const below = countOf(lines.filter((line) => line.startsWith(".")));
  const alone = countOf(lines.filter((line) => !line.startsWith(".")));
  return { below: { ...below, bytes: below.bytes - below.hosts }, alone };
}

/** The lines for all names in ascending order, in chunks. */
export function linesOfNames(
  storage: Storage,
  { base, layers }: HostNamesIndex,
): AsyncGenerator<readonly string[]> {
  return changedLines(storage, base, layers);
}

const sumOf = (a: HostCount, b: HostCount) => ({
  hosts: a.hosts + b.hosts,
  bytes: a.bytes + b.bytes,
});
const isSame = (a: HostCount, b: HostCount) => a.hosts === b.hosts && a.bytes === b.bytes;

/**
 * The hosts of a list, in chunks.
 *
 * @throws {StoreError} `damaged`, after the last chunk, when the number of hosts is not the one in the index.
 */
export async function* hostsOf(
  storage: Storage,
  index: HostNamesIndex,
): AsyncGenerator<readonly NamedHost[]> {
  let found = countNames([]);
  for await (const lines of linesOfNames(storage, index)) {
    const { below, alone } = countNames(lines);
    found = { below: sumOf(found.below, below), alone: sumOf(found.alone, alone) };
    yield lines.map(hostOf);
  }
  if (isSame(found.below, index.below) && isSame(found.alone, index.alone)) return;
  throw new StoreError("damaged", "The number of host names is not the one in their index");
}
