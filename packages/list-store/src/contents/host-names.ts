import { decodeText, encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { getObject, hashesOf } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";

/*
 * The names of the hosts on a list, for zones of a resolver. Everything else in a store is a hash; names are there
 * only when the publisher asked for it.
 *
 * An index object counts them and names their shards. A shard is text of one host per line; a dot before a host says
 * that the entry covers the hosts below it, too.
 */

/** Why an entry has no line among the names. */
export interface UnnamedCounts {
  /** Hosts below another host of the list, which covers them. */
  readonly covered: number;
  /** Entries that cover only a part of a host. */
  readonly paths: number;
  /** Hosts that are IP addresses. */
  readonly addresses: number;
  /** Hosts that DNS cannot hold, or that are too long for a zone. */
  readonly unfit: number;
  /** Entries whose source gives only hashes. */
  readonly hashes: number;
}

/** How many hosts there are of a kind, and the bytes of their names together. */
export interface HostCount {
  readonly hosts: number;
  readonly bytes: number;
}

/** What an index object says about the names of a list. */
export interface HostNamesIndex {
  readonly shards: readonly string[];
  /** Hosts whose entry covers the hosts below them, too. */
  readonly below: HostCount;
  /** Hosts whose entry covers only them. */
  readonly alone: HostCount;
  /** How many hosts are public suffixes, such as `github.io`. */
  readonly publicSuffixes: number;
  readonly unnamed: UnnamedCounts;
  /** Whether the names are public anyway, so that a server may show them to anyone. */
  readonly isPublic?: boolean | undefined;
}

/** The names of a list in memory, before anything is written. */
export interface HostNames extends Omit<HostNamesIndex, "shards"> {
  /** The text of each shard. */
  readonly parts: readonly Uint8Array[];
}

export async function encodeHostNamesIndex({ parts, ...counts }: HostNames): Promise<Uint8Array> {
  const index: HostNamesIndex = { shards: await hashesOf(parts), ...counts };
  return encodeText(`${JSON.stringify(index, null, 2)}\n`);
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isHostCount = (value: Partial<HostCount>) => isCount(value.hosts) && isCount(value.bytes);

function isIndex(value: Partial<HostNamesIndex>): value is HostNamesIndex {
  const { shards, below, alone, publicSuffixes, unnamed, isPublic } = value;
  const { covered, paths, addresses, unfit, hashes } = unnamed!;
  return (
    shards!.every((shard) => typeof shard === "string" && /^[0-9a-f]{64}$/.test(shard)) &&
    (isPublic === undefined || typeof isPublic === "boolean") &&
    isHostCount(below!) &&
    isHostCount(alone!) &&
    [publicSuffixes, covered, paths, addresses, unfit, hashes].every(isCount)
  );
}

/** The index of names in an object. */
export async function readHostNamesIndex(storage: Storage, hash: string): Promise<HostNamesIndex> {
  const text = decodeText(await getObject(storage, hash));
  try {
    const index = JSON.parse(text) as Partial<HostNamesIndex>;
    if (isIndex(index)) return index;
  } catch {
    // Below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of names`);
}

/** A host, and whether its entry covers the hosts below it. */
export interface NamedHost {
  readonly host: string;
  readonly isBelow: boolean;
}

export function encodeHosts(hosts: readonly NamedHost[]): Uint8Array {
  return encodeText(hosts.map(({ host, isBelow }) => `${isBelow ? "." : ""}${host}\n`).join(""));
}

/** The hosts in a shard, in its order. */
export async function readHosts(storage: Storage, shard: string): Promise<NamedHost[]> {
  const text = decodeText(await getObject(storage, shard));
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const isBelow = line.startsWith(".");
      return { host: isBelow ? line.slice(1) : line, isBelow };
    });
}
