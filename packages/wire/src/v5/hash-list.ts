import type { EntryLimit, RawHashes } from "@x/prefix-list";
import { firstWords, viewOf } from "@x/prefix-list/raw-hashes";
import { maxEntriesOf, riceEncode } from "@x/prefix-list/rice";
import { fromHex } from "@x/sha256-prefix";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate, readChecksum } from "../list-update.ts";
import {
  bool,
  bytes,
  duration,
  fixed64,
  int32,
  type MessageType,
  many,
  message,
  oneName,
  string,
  uint32,
  uint64,
} from "../message/message-type.ts";
import { decodeValues, fromBigEndian, V5_RANGE } from "../rice-codes.ts";
import { decodeWide, encodeWide } from "../wide-rice-codes.ts";

export const THREAT_TYPES = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  POTENTIALLY_HARMFUL_APPLICATION: 4,
} as const;

/** The kind of threat of a listed URL. */
export type ThreatType = keyof typeof THREAT_TYPES;

const LIKELY_SAFE_TYPES = { GENERAL_BROWSING: 1, CSD: 2, DOWNLOAD: 3 } as const;

/** The purpose for which a URL on a list of safe sites is safe. */
export type LikelySafeType = keyof typeof LIKELY_SAFE_TYPES;

export const THREAT_ATTRIBUTES = { CANARY: 1, FRAME_ONLY: 2 } as const;

/** A restriction on a threat: clients must not enforce it (`CANARY`), or enforce it only on frames (`FRAME_ONLY`). */
export type ThreatAttribute = keyof typeof THREAT_ATTRIBUTES;

const HASH_LENGTHS = {
  FOUR_BYTES: 2,
  EIGHT_BYTES: 3,
  SIXTEEN_BYTES: 4,
  THIRTY_TWO_BYTES: 5,
} as const;

/** The length of the hash prefixes on a list. */
export type HashLength = keyof typeof HASH_LENGTHS;

/** The coded differences between ascending numbers. */
interface RiceDeltas {
  readonly riceParameter: number;
  /** The number of coded differences: one less than the count of numbers. */
  readonly entriesCount: number;
  readonly encodedData: Uint8Array;
}

/** The fields of coded differences. `number` is the number of the first field. */
function deltas(number: number): MessageType<RiceDeltas>["fields"] {
  return {
    riceParameter: int32(number),
    entriesCount: int32(number + 1),
    encodedData: bytes(number + 2),
  };
}

/** Ascending 32-bit numbers: the first one, and the coded difference from each one to the next. */
interface RiceDeltaEncoded32Bit extends RiceDeltas {
  readonly firstValue: number;
}

const rice32: MessageType<RiceDeltaEncoded32Bit> = {
  fields: { firstValue: uint32(1), ...deltas(2) },
};

/** Ascending 64-bit numbers. */
interface RiceDeltaEncoded64Bit extends RiceDeltas {
  readonly firstValue: bigint;
}

const rice64: MessageType<RiceDeltaEncoded64Bit> = {
  fields: { firstValue: uint64(1), ...deltas(2) },
};

/** Ascending 128-bit numbers. */
interface RiceDeltaEncoded128Bit extends RiceDeltas {
  readonly firstValueHi: bigint;
  readonly firstValueLo: bigint;
}

const rice128: MessageType<RiceDeltaEncoded128Bit> = {
  fields: { firstValueHi: uint64(1), firstValueLo: fixed64(2), ...deltas(3) },
};

/** Ascending 256-bit numbers. */
interface RiceDeltaEncoded256Bit extends RiceDeltas {
  readonly firstValueFirstPart: bigint;
  readonly firstValueSecondPart: bigint;
  readonly firstValueThirdPart: bigint;
  readonly firstValueFourthPart: bigint;
}

const rice256: MessageType<RiceDeltaEncoded256Bit> = {
  fields: {
    firstValueFirstPart: uint64(1),
    firstValueSecondPart: fixed64(2),
    firstValueThirdPart: fixed64(3),
    firstValueFourthPart: fixed64(4),
    ...deltas(5),
  },
};

/** A description of a list, which only answers of `listHashLists` have. */
interface HashListMetadata {
  readonly threatTypes: readonly ThreatType[];
  readonly likelySafeTypes: readonly LikelySafeType[];
  readonly description: string;
  readonly hashLength: HashLength | null;
}

const metadata: MessageType<HashListMetadata> = {
  fields: {
    threatTypes: many(oneName(1, THREAT_TYPES)),
    likelySafeTypes: many(oneName(2, LIKELY_SAFE_TYPES)),
    description: string(4),
    hashLength: oneName(6, HASH_LENGTHS),
  },
};

/** A whole list, or the changes from one version of it to the next. */
export interface HashList {
  readonly name: string;
  /** A version that is opaque to the client. */
  readonly version: Uint8Array;
  /** Whether this message changes the client's list. Otherwise, it replaces the list. */
  readonly partialUpdate: boolean;
  readonly additionsFourBytes: RiceDeltaEncoded32Bit | null;
  readonly additionsEightBytes: RiceDeltaEncoded64Bit | null;
  readonly additionsSixteenBytes: RiceDeltaEncoded128Bit | null;
  readonly additionsThirtyTwoBytes: RiceDeltaEncoded256Bit | null;
  readonly compressedRemovals: RiceDeltaEncoded32Bit | null;
  /** The time to wait before the next request, in milliseconds; `null` when the server does not give it. */
  readonly minimumWaitDuration: number | null;
  readonly sha256Checksum: Uint8Array;
  readonly metadata: HashListMetadata | null;
}

export const hashList: MessageType<HashList> = {
  fields: {
    name: string(1),
    version: bytes(2),
    partialUpdate: bool(3),
    additionsFourBytes: message(4, rice32),
    additionsEightBytes: message(9, rice64),
    additionsSixteenBytes: message(10, rice128),
    additionsThirtyTwoBytes: message(11, rice256),
    compressedRemovals: message(5, rice32),
    minimumWaitDuration: duration(6),
    sha256Checksum: bytes(7),
    metadata: message(8, metadata),
  },
  oneOf: [
    "additionsFourBytes",
    "additionsEightBytes",
    "additionsSixteenBytes",
    "additionsThirtyTwoBytes",
  ],
};

/**
 * The fields for prefixes of more than four bytes. `parts` are the fields that contain the first prefix, 64 bits each.
 */
const WIDE_ADDITIONS = [
  { prefixBytes: 8, field: "additionsEightBytes", parts: ["firstValue"] },
  { prefixBytes: 16, field: "additionsSixteenBytes", parts: ["firstValueHi", "firstValueLo"] },
  {
    prefixBytes: 32,
    field: "additionsThirtyTwoBytes",
    parts: [
      "firstValueFirstPart",
      "firstValueSecondPart",
      "firstValueThirdPart",
      "firstValueFourthPart",
    ],
  },
] as const;

/** The information that a message needs besides the update. */
export interface HashListFacts {
  /**
   * The name of the list in v5. If the name ends in a prefix length, such as `-4b`, the hash prefixes must have that
   * length.
   */
  readonly name: string;
  /** The client sends this version back when it requests the next update. */
  readonly version: Uint8Array;
  /** The time that the client waits before its next request, in milliseconds. */
  readonly minimumWaitDuration: number;
}

const NO_ADDITIONS = {
  additionsFourBytes: null,
  additionsEightBytes: null,
  additionsSixteenBytes: null,
  additionsThirtyTwoBytes: null,
};

/**
 * Throws when the name of a list ends in a prefix length, such as `-4b`, but its hash prefixes have a different length.
 */
function checkNamedLength(name: string, prefixBytes: number): void {
  const named = /-(4|8|16|32)b$/.exec(name);
  if (named !== null && Number(named[1]) !== prefixBytes) {
    throw new WireError("prefix-length-wrong", name);
  }
}

function encodeAdditions(group: RawHashes): Partial<HashList> {
  const { prefixBytes, rawHashes } = group;
  if (prefixBytes === 4) {
    return { additionsFourBytes: riceEncode(firstWords(group), V5_RANGE) };
  }
  const wide = WIDE_ADDITIONS.find((each) => each.prefixBytes === prefixBytes);
  if (wide === undefined) throw new WireError("prefix-length-wrong");
  const { first, ...coded } = encodeWide(wide.prefixBytes, rawHashes);
  const view = viewOf(first);
  const parts = wide.parts.map((name, i) => [name, view.getBigUint64(i * 8)]);
  return { [wide.field]: { ...Object.fromEntries(parts), ...coded } };
}

/**
 * Makes the message for an update of a list.
 *
 * @throws {WireError} `prefix-length-wrong` when the hash prefixes have several lengths, or a length that v5 or the
 * name of the list does not allow; `full-update-removes` or `checksum-missing` when the update contradicts itself.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullUpdate } from "@x/wire";
 * import { toHashList } from "@x/wire/v5";
 *
 * const list = prefixList([Uint8Array.of(0, 0, 0, 5)]);
 * const facts = { name: "mw-4b", version: Uint8Array.of(1), minimumWaitDuration: 1_800_000 };
 * toHashList(fullUpdate(list), facts).additionsFourBytes?.firstValue; // → 5
 * ```
 * @see Safe Browsing v5, `HashList`
 */
export function toHashList(update: ListUpdate, facts: HashListFacts): HashList {
  checkUpdate(update);
  const { full, removals, additions, checksum } = update;
  const { name, version, minimumWaitDuration } = facts;
  const [group, second] = additions;
  if (second !== undefined) throw new WireError("prefix-length-wrong", name);
  if (group !== undefined) checkNamedLength(name, group.prefixBytes);
  return {
    name,
    version,
    partialUpdate: !full,
    ...NO_ADDITIONS,
    ...(group === undefined ? null : encodeAdditions(group)),
    compressedRemovals: removals.length === 0 ? null : riceEncode(removals, V5_RANGE),
    minimumWaitDuration,
    sha256Checksum: checksum === null ? new Uint8Array(0) : fromHex(checksum),
    metadata: null,
  };
}

/** Decodes the hash prefixes from the field that contains them. Returns `null` when no field does. */
function decodeAdditions(hashList: HashList, maxEntries: number): RawHashes | null {
  const { additionsFourBytes } = hashList;
  if (additionsFourBytes !== null) {
    const values = decodeValues(additionsFourBytes, V5_RANGE, maxEntries, "additions-unordered");
    return { prefixBytes: 4, rawHashes: fromBigEndian(values) };
  }
  for (const { prefixBytes, field, parts } of WIDE_ADDITIONS) {
    const coded = hashList[field];
    if (coded === null) continue;
    const first = new Uint8Array(prefixBytes);
    const view = viewOf(first);
    for (const [i, name] of parts.entries()) view.setBigUint64(i * 8, coded[name as never]);
    return { prefixBytes, rawHashes: decodeWide({ ...coded, first }, maxEntries) };
  }
  return null;
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the update breaks a rule or has too many entries, or when its hash prefixes do not have the
 * length in the name of the list.
 * @example
 * ```ts
 * import { decodeMessage } from "@x/wire";
 * import { fromHashList, getHashList } from "@x/wire/v5";
 *
 * const bytes = Uint8Array.of(0x0a, 5, 0x6d, 0x77, 0x2d, 0x34, 0x62, 0x18, 1); // "mw-4b", partial
 * fromHashList(decodeMessage(getHashList.response, bytes)).checksum; // → null
 * ```
 * @see Safe Browsing v5, `HashList`
 */
export function fromHashList(hashList: HashList, limit: EntryLimit = {}): ListUpdate {
  const { name, partialUpdate, compressedRemovals, sha256Checksum } = hashList;
  const maxEntries = maxEntriesOf(limit);
  const checksum = readChecksum(sha256Checksum);
  const removals =
    compressedRemovals === null
      ? new Uint32Array(0)
      : decodeValues(compressedRemovals, V5_RANGE, maxEntries, "removals-wrong");
  const group = decodeAdditions(hashList, maxEntries);
  if (group !== null) checkNamedLength(name, group.prefixBytes);
  return checkUpdate({
    full: !partialUpdate,
    removals,
    additions: group === null ? [] : [group],
    checksum,
  });
}

/** One list for each requested name, in the same order; `hashListsInOrder` checks this. */
export interface BatchGetHashListsResponse {
  readonly hashLists: readonly HashList[];
}

/**
 * Returns the lists in an answer, after checking that they are the requested lists in the requested order.
 *
 * @throws {WireError} `lists-mismatched` when the answer has other lists or another order.
 * @example
 * ```ts
 * import { hashListsInOrder } from "@x/wire/v5";
 *
 * hashListsInOrder(["mw-4b"], { hashLists: [] }); // throws lists-mismatched
 * ```
 */
export function hashListsInOrder(
  names: readonly string[],
  response: BatchGetHashListsResponse,
): readonly HashList[] {
  const { hashLists } = response;
  const isInOrder =
    hashLists.length === names.length && hashLists.every(({ name }, i) => name === names[i]);
  if (!isInOrder) throw new WireError("lists-mismatched", "hashLists");
  return hashLists;
}
