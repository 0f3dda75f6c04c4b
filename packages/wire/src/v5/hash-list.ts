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
  fields: {
    firstValue: uint32(1),
    ...deltas(2),
  },
};

/** Ascending 64-bit numbers. */
interface RiceDeltaEncoded64Bit extends RiceDeltas {
  readonly firstValue: bigint;
}

const rice64: MessageType<RiceDeltaEncoded64Bit> = {
  fields: {
    firstValue: uint64(1),
    ...deltas(2),
  },
};

/** Ascending 128-bit numbers. */
interface RiceDeltaEncoded128Bit extends RiceDeltas {
  readonly firstValueHi: bigint;
  readonly firstValueLo: bigint;
}

const rice128: MessageType<RiceDeltaEncoded128Bit> = {
  fields: {
    firstValueHi: uint64(1),
    firstValueLo: fixed64(2),
    ...deltas(3),
  },
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
export const WIDE_ADDITIONS = [
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
