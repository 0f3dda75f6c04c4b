import { checkCreated, checkName } from "./check-facts.ts";
import { checksumOf } from "./checksum.ts";
import { checkPrefixBytes, collectPrefixes } from "./collect.ts";
import type { RawHashes } from "./raw-hashes.ts";
import { sortPrefixes } from "./sort-prefixes.ts";
import { type PrefixTable, rawHashesOf, tableOf } from "./table.ts";

/**
 * An immutable set of hash prefixes of 4 to 32 octets, mixed lengths welcome, with its name, time and
 * checksum.
 *
 * Plain data: it can be sent to a worker as it is, and after {@link sharePrefixList} without a copy.
 */
export interface PrefixList {
  /** What the list is called, for people and for verdicts; any text of at most 65 535 octets of UTF-8. */
  readonly name: string;
  /** When its contents were settled, in milliseconds since 1970-01-01T00:00Z; a whole number. */
  readonly created: number;
  /** The number of prefixes. */
  readonly size: number;
  /** The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex. */
  readonly checksum: string;
  /** The prefixes of each length, the shortest length first. Their form may change with any version. */
  readonly tables: readonly PrefixTable[];
}

/** What a new list is called, and what is kept of each prefix. */
export interface PrefixListOptions {
  /** The list's name; `""` when left out. */
  readonly name?: string | undefined;
  /** Milliseconds since 1970-01-01T00:00Z; the present time when left out. */
  readonly created?: number | undefined;
  /** Cuts each prefix or full hash to its first `prefixBytes` octets, 4 to 32; when left out nothing is cut. */
  readonly prefixBytes?: number | undefined;
}

/** The list of prefixes that are sorted already, without duplicates, one batch a length, the shortest first. */
export function listOfSorted(
  batches: readonly RawHashes[],
  name: string,
  created: number,
  checksum: string,
): PrefixList {
  const tables = batches.filter(({ rawHashes }) => rawHashes.length > 0).map(tableOf);
  return { name, created, size: tables.reduce((sum, { size }) => sum + size, 0), checksum, tables };
}

/**
 * The list of the given prefixes; duplicates are folded.
 *
 * A prefix is a `Uint8Array`; {@link RawHashes} bring any number of them at once, and are what to use for
 * millions. Both may be mixed in one iterable, and so may lengths.
 *
 * @throws {RangeError} when a prefix is not 4 to 32 octets long, or shorter than `prefixBytes`; when
 * `rawHashes` holds a part of a prefix; when `name` is too long or not well-formed Unicode; when `created` is
 * not a whole number that a `Date` can stand for.
 * @throws {TypeError} when something else than prefixes is iterated, or an option is of the wrong type.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const hashes = ["a.example/", "b.example/", "a.example/"].map((text) => fullHash(text));
 * const list = prefixList(hashes, { name: "malware", created: 0, prefixBytes: 4 });
 * list.size; // → 2
 * list.checksum; // → "05cffa6d43c97b3ac7e74ef7687c6bd7e04a1047423c054ecfed97c899d56218"
 * ```
 */
export function prefixList(
  prefixes: Iterable<Uint8Array | RawHashes>,
  options: PrefixListOptions = {},
): PrefixList {
  const { name = "", created = Date.now(), prefixBytes } = options;
  checkName(name);
  checkCreated(created);
  if (prefixBytes !== undefined) checkPrefixBytes("prefixBytes", prefixBytes);
  const batches = collectPrefixes(prefixes, prefixBytes ?? null).map(sortPrefixes);
  return listOfSorted(batches, name, created, checksumOf(batches));
}

/**
 * All prefixes of a list, one batch for each length, the shortest length first; in ascending order.
 *
 * The memory is the caller's own. `prefixList(rawHashesIn(list), …)` has the same prefixes again.
 *
 * @example
 * ```ts
 * import { prefixList, rawHashesIn } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(2, 0, 0, 0), Uint8Array.of(1, 0, 0, 0)]);
 * rawHashesIn(list); // → [{ prefixSize: 4, rawHashes: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0) }]
 * ```
 */
export function rawHashesIn(list: PrefixList): RawHashes[] {
  return list.tables.map(rawHashesOf);
}
