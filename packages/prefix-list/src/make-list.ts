import { typeError } from "@x/sha256-prefix/type-error";
import {
  type PrefixListBuilderOptions,
  type PrefixListFacts,
  prefixListBuilder,
} from "./builder.ts";
import { checkCreated, checkName, ownOptions } from "./limits.ts";
import { type PrefixList, rawHashesIn } from "./prefix-list.ts";
import type { RawHashes } from "./raw-hashes/raw-hashes.ts";

/** The options of {@link prefixList} and {@link mergePrefixLists}. */
export interface PrefixListOptions extends PrefixListFacts, PrefixListBuilderOptions {}

/**
 * Makes a list of the given prefixes, without duplicates.
 *
 * Each item is one prefix, as a `Uint8Array`, or any number of prefixes, as {@link RawHashes}. Use `RawHashes` for
 * millions of prefixes. One iterable may yield items of both forms, and prefixes of different lengths.
 *
 * @throws {PrefixListError} `too-many-entries` when there are more prefixes than `maxEntries`.
 * @throws {RangeError} when a prefix is not 4 to 32 bytes long, or is shorter than `prefixBytes`; when `rawHashes` ends
 * inside a prefix; when all prefixes together would take 2³¹ bytes or more; when `name` is too long or not well-formed
 * Unicode; when `created` is negative or not a whole number that a `Date` can represent; when another option is out of
 * range.
 * @throws {TypeError} when the iterable yields anything but prefixes, or an option is of the wrong type.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const hashes = ["a.example/", "b.example/", "a.example/"].map((text) => fullHash(text));
 * const list = prefixList(hashes, { name: "malware", created: 0, prefixBytes: 4 });
 * list.size; // → 2
 * list.lengths; // → [{ prefixBytes: 4, count: 2 }]
 * list.checksum; // → "05cffa6d43c97b3ac7e74ef7687c6bd7e04a1047423c054ecfed97c899d56218"
 * ```
 */
export function prefixList(
  prefixes: Iterable<Uint8Array | RawHashes>,
  options: PrefixListOptions = {},
): PrefixList {
  const { name = "", created = Date.now() } = ownOptions(options);
  checkName(name);
  checkCreated(created);
  checkIterable("prefixes", prefixes);
  const builder = prefixListBuilder(options);
  for (const prefix of prefixes) builder.add(prefix);
  return builder.build({ name, created });
}

/**
 * Makes a list of all prefixes that are in at least one of the given lists.
 *
 * @param options The same as for {@link prefixList}. The name and the time are not taken from any of the lists.
 * @throws {PrefixListError} `layout-unsupported` when a list has another layout; `too-many-entries` as in
 * {@link prefixList}.
 * @throws {RangeError} in the same cases as {@link prefixList}.
 * @throws {TypeError} when the iterable yields anything but lists, or an option is of the wrong type.
 * @example
 * ```ts
 * import { mergePrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const lists = [prefixList([a, b]), prefixList([b, c])];
 * mergePrefixLists(lists, { name: "unwanted" }).size; // → 3
 * ```
 */
export function mergePrefixLists(
  lists: Iterable<PrefixList>,
  options: PrefixListOptions = {},
): PrefixList {
  checkIterable("lists", lists);
  return prefixList(groupsOf(lists), options);
}

function* groupsOf(lists: Iterable<PrefixList>): Generator<RawHashes, void, undefined> {
  for (const list of lists) yield* rawHashesIn(list);
}

function checkIterable(argument: string, value: unknown): void {
  const iterable = value as Partial<Iterable<unknown>> | null | undefined;
  if (typeof iterable?.[Symbol.iterator] !== "function") {
    throw typeError(argument, "iterable", value);
  }
}
