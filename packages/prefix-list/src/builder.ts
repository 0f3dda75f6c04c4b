import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import {
  checkBytes,
  checkCreated,
  checkEntryCount,
  checkName,
  checkPrefixBytes,
  type EntryLimit,
  isByteArray,
  MAX_LIST_BYTES,
  maxEntriesOf,
  ownOptions,
} from "./limits.ts";
import { listOfSorted, type PrefixList } from "./prefix-list.ts";
import {
  type ChecksumOptions,
  checkSha256,
  checksumOf,
  countOf,
  isRawHashes,
  type RawHashes,
  unsortedAt,
} from "./raw-hashes/raw-hashes.ts";
import { sortPrefixes } from "./raw-hashes/sort-prefixes.ts";

/** The options of {@link prefixList}. */
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
  checkIterable(prefixes);
  const builder = prefixListBuilder(options);
  const sorted = sortedGroupIn(prefixes, options);
  if (sorted !== null) {
    const checksum = checksumOf([sorted], ownOptions(options).sha256);
    return listOfSorted([sorted], { name, created, checksum });
  }
  for (const prefix of prefixes) builder.add(prefix);
  return builder.build({ name, created });
}

/**
 * The only group, if the list can be made from it as it is; otherwise `null`. A builder would copy it, and its copy of
 * a long list takes more memory than the list.
 */
function sortedGroupIn(
  prefixes: Iterable<Uint8Array | RawHashes>,
  options: PrefixListOptions,
): RawHashes | null {
  if (!Array.isArray(prefixes) || prefixes.length !== 1 || !isRawHashes(prefixes[0])) return null;
  const [group] = prefixes as [RawHashes];
  const { prefixBytes, rawHashes } = group;
  const { prefixBytes: cut = prefixBytes } = ownOptions(options);
  const isUsable =
    cut === prefixBytes &&
    Number.isInteger(prefixBytes) &&
    prefixBytes >= MIN_PREFIX_BYTES &&
    prefixBytes <= MAX_PREFIX_BYTES &&
    // An array whose buffer was transferred is empty.
    rawHashes.length > 0 &&
    rawHashes.length <= MAX_LIST_BYTES &&
    rawHashes.length % prefixBytes === 0 &&
    countOf(group) <= maxEntriesOf(options) &&
    unsortedAt(group) < 0;
  return isUsable ? group : null;
}

function checkIterable(value: unknown): void {
  const iterable = value as Partial<Iterable<unknown>> | null | undefined;
  if (typeof iterable?.[Symbol.iterator] !== "function") {
    throw typeError("prefixes", "iterable", value);
  }
}

/** The name and the time of a new list. */
export interface PrefixListFacts {
  /** The list's name. The default is `""`. */
  readonly name?: string | undefined;
  /** The time of the list, in milliseconds since 1970-01-01T00:00Z. The default is the current time. */
  readonly created?: number | undefined;
}

/** The options of a builder. */
export interface PrefixListBuilderOptions extends EntryLimit, ChecksumOptions {
  /** Truncates each prefix or full hash to this many bytes, 4 to 32. By default, nothing is truncated. */
  readonly prefixBytes?: number | undefined;
}

/** Collects entries, one by one or many at once, and makes a list from them. */
export interface PrefixListBuilder {
  /** The number of entries added since the last list was built, including duplicates. */
  readonly count: number;
  /**
   * Adds a prefix, a full hash, or the prefixes in {@link RawHashes}. The bytes are copied.
   *
   * @throws {PrefixListError} `too-many-entries` when there would be more than `maxEntries`.
   * @throws {RangeError} when a prefix is not 4 to 32 bytes long or is shorter than `prefixBytes`, when `rawHashes`
   * ends inside a prefix, or when all prefixes together would take 2³¹ bytes or more.
   * @throws {TypeError} when `entry` is neither a `Uint8Array` nor `RawHashes`.
   */
  add(entry: Uint8Array | RawHashes): void;
  /**
   * Makes a list of all entries added, without duplicates. The builder is empty afterwards.
   *
   * @throws {RangeError} when `name` or `created` is out of range; the builder then keeps its entries.
   * @throws {TypeError} when `name` or `created` is of the wrong type.
   */
  build(facts?: PrefixListFacts): PrefixList;
}

/**
 * Makes a builder for lists whose entries arrive one by one. While a builder builds a list of 4-byte prefixes, it needs
 * about 10 bytes of memory for each prefix.
 *
 * @throws {RangeError} when an option is out of range.
 * @throws {TypeError} when an option is of the wrong type.
 * @example
 * ```ts
 * import { prefixListBuilder } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const builder = prefixListBuilder({ prefixBytes: 8 });
 * for (const expression of ["a.example/", "b.example/", "a.example/"]) {
 *   builder.add(fullHash(expression));
 * }
 * builder.count; // → 3
 * builder.build({ name: "malware" }).size; // → 2
 * ```
 */
export function prefixListBuilder(options: PrefixListBuilderOptions = {}): PrefixListBuilder {
  const { prefixBytes: cut, sha256 } = ownOptions(options);
  const maxEntries = maxEntriesOf(options);
  if (cut !== undefined) checkPrefixBytes("prefixBytes", cut);
  checkSha256(sha256);
  const gathered = new Gatherer();
  let count = 0;
  let bytes = 0;

  /** Checks and then adds `more` prefixes of one length. */
  function addPrefixes(rawHashes: Uint8Array, length: number, more: number): void {
    const kept = cut ?? length;
    if (kept > length) {
      throw new RangeError(`a prefix of ${length} bytes cannot be cut to ${kept} bytes`);
    }
    checkEntryCount(count + more, maxEntries);
    if (bytes + more * kept > MAX_LIST_BYTES) {
      throw new RangeError(`the prefixes of a list must take at most ${MAX_LIST_BYTES} bytes`);
    }
    gathered.add(rawHashes, length, kept);
    count += more;
    bytes += more * kept;
  }

  return {
    get count() {
      return count;
    },
    add(entry) {
      if (isByteArray(entry)) {
        checkBytes("a prefix", entry);
        checkPrefixBytes("the length of a prefix in bytes", entry.length);
        addPrefixes(entry, entry.length, 1);
        return;
      }
      if (!isRawHashes(entry)) throw typeError("a prefix", "a Uint8Array or RawHashes", entry);
      const { prefixBytes, rawHashes } = entry;
      checkBytes("rawHashes", rawHashes);
      checkPrefixBytes("prefixBytes", prefixBytes);
      if (rawHashes.length % prefixBytes !== 0) {
        throw new RangeError(
          `rawHashes must hold whole prefixes of ${prefixBytes} bytes, not ${rawHashes.length} bytes`,
        );
      }
      addPrefixes(rawHashes, prefixBytes, rawHashes.length / prefixBytes);
    },
    build(facts = {}) {
      const { name = "", created = Date.now() } = ownOptions(facts);
      checkName(name);
      checkCreated(created);
      count = 0;
      bytes = 0;
      const groups = gathered.take().map(sortPrefixes);
      return listOfSorted(groups, { name, created, checksum: checksumOf(groups, sha256) });
    },
  };
}

const FIRST_PIECE_PREFIXES = 16;
/** Chunks of this many prefixes waste little memory, and are so few that they cost little time. */
const MAX_PIECE_PREFIXES = 2 ** 16;

/** The prefixes of one length that have been gathered, in chunks of memory. The last chunk is being filled. */
class Gathering {
  readonly #prefixBytes: number;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #piece = new Uint8Array(0);
  /** The number of bytes of `#piece` in use. */
  #used = 0;
  /** The number of bytes in use in all chunks. */
  #total = 0;

  constructor(prefixBytes: number) {
    this.#prefixBytes = prefixBytes;
  }

  /** Adds a chunk as large as all earlier ones together, up to a limit, but with room for at least `moreBytes`. */
  #addPiece(moreBytes: number): void {
    const grown = Math.min(MAX_PIECE_PREFIXES, this.#total / this.#prefixBytes);
    const prefixes = Math.max(FIRST_PIECE_PREFIXES, grown);
    if (this.#used > 0) this.#full.push(this.#piece);
    this.#piece = new Uint8Array(Math.max(prefixes * this.#prefixBytes, moreBytes));
    this.#used = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#total += bytes.length;
  }

  addWhole(rawHashes: Uint8Array): void {
    const fitting = Math.min(this.#piece.length - this.#used, rawHashes.length);
    this.#put(rawHashes.subarray(0, fitting));
    if (fitting === rawHashes.length) return;
    this.#addPiece(rawHashes.length - fitting);
    this.#put(rawHashes.subarray(fitting));
  }

  addCut(rawHashes: Uint8Array, length: number): void {
    const prefixBytes = this.#prefixBytes;
    for (let at = 0; at < rawHashes.length; at += length) {
      if (this.#used === this.#piece.length) this.#addPiece(prefixBytes);
      const piece = this.#piece;
      const used = this.#used;
      for (let k = 0; k < prefixBytes; k++) piece[used + k] = rawHashes[at + k]!;
      this.#used += prefixBytes;
      this.#total += prefixBytes;
    }
  }

  /** Joins all chunks into one. Each full chunk is released as soon as it is copied. */
  joined(): Uint8Array<ArrayBuffer> {
    const full = this.#full;
    const last = this.#piece.subarray(0, this.#used);
    if (full.length === 0) return last;
    const all = new Uint8Array(this.#total);
    let at = 0;
    for (let i = 0; i < full.length; i++) {
      all.set(full[i]!, at);
      at += full[i]!.length;
      full[i] = new Uint8Array(0);
    }
    all.set(last, at);
    return all;
  }
}

class Gatherer {
  #gatherings = new Map<number, Gathering>();

  /** Adds consecutive prefixes of `length` bytes, each truncated to `kept` bytes. */
  add(rawHashes: Uint8Array, length: number, kept: number): void {
    if (rawHashes.length === 0) return;
    let gathering = this.#gatherings.get(kept);
    if (gathering === undefined) {
      gathering = new Gathering(kept);
      this.#gatherings.set(kept, gathering);
    }
    // Copying a few bytes one by one is faster than making a view of them.
    if (length === kept && rawHashes.length > length) gathering.addWhole(rawHashes);
    else gathering.addCut(rawHashes, length);
  }

  /** Returns the prefixes and empties the gatherer. There is one array for each length, the shortest first. */
  take(): (RawHashes & { readonly rawHashes: Uint8Array<ArrayBuffer> })[] {
    const taken = [...this.#gatherings].sort(([a], [b]) => a - b);
    this.#gatherings = new Map();
    return taken.map(([prefixBytes, gathering]) => ({
      prefixBytes,
      rawHashes: gathering.joined(),
    }));
  }
}
