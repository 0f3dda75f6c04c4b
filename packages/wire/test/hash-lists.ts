import { prefixList, type RawHashes } from "@x/prefix-list";
import { fromHashList, type HashList, type HashListFacts, toHashList } from "@x/wire/v5";
import { fromBytes, type PlainRice, toBytes } from "./plain-rice.ts";

export const FACTS: HashListFacts = {
  name: "a",
  version: new Uint8Array(0),
  minimumWaitDuration: 0,
};

const FIELDS = {
  4: "additionsFourBytes",
  8: "additionsEightBytes",
  16: "additionsSixteenBytes",
  32: "additionsThirtyTwoBytes",
} as const;

/** A prefix length in bytes that v5 supports. */
export type CodedBytes = keyof typeof FIELDS;
export const CODED_BYTES: readonly CodedBytes[] = [4, 8, 16, 32];

const NOTHING: HashList = {
  name: "a",
  version: new Uint8Array(0),
  partialUpdate: false,
  additionsFourBytes: null,
  additionsEightBytes: null,
  additionsSixteenBytes: null,
  additionsThirtyTwoBytes: null,
  compressedRemovals: null,
  minimumWaitDuration: 0,
  sha256Checksum: new Uint8Array(32),
  metadata: null,
};

/** The message of a full update with these codes, valid or not. */
export function hashListOf(prefixBytes: CodedBytes, coded: PlainRice): HashList {
  const { first, parameter: riceParameter, count: entriesCount, data: encodedData } = coded;
  const rest = { riceParameter, entriesCount, encodedData };
  const mask = 2n ** 64n - 1n;
  const part = (index: number) => (first >> BigInt(64 * index)) & mask;
  const parts = {
    4: { firstValue: Number(first) },
    8: { firstValue: first },
    16: { firstValueHi: part(1), firstValueLo: part(0) },
    32: {
      firstValueFirstPart: part(3),
      firstValueSecondPart: part(2),
      firstValueThirdPart: part(1),
      firstValueFourthPart: part(0),
    },
  }[prefixBytes];
  return { ...NOTHING, [FIELDS[prefixBytes]]: { ...parts, ...rest } };
}

/** The codes of ascending values in the message of a full update. */
export function codesOf(prefixBytes: CodedBytes, values: readonly bigint[]): PlainRice {
  const list = prefixList(values.map((value) => toBytes(value, prefixBytes)));
  const [group] = groupsOf(list.size === 0 ? [] : values, prefixBytes);
  const update = {
    full: true,
    removals: new Uint32Array(0),
    additions: [group!],
    checksum: list.checksum,
  };
  const message = toHashList(update, FACTS);
  const coded = message[FIELDS[prefixBytes]]!;
  const { riceParameter: parameter, entriesCount: count, encodedData: data } = coded;
  const names = Object.keys(coded).filter((name) => name.startsWith("firstValue"));
  const numbers = names.map((name) => BigInt(coded[name as never] as bigint | number));
  const first = numbers.reduce((sum, number) => (sum << 64n) + number, 0n);
  return { first, parameter, count, data };
}

function groupsOf(values: readonly bigint[], prefixBytes: number): RawHashes[] {
  const rawHashes = new Uint8Array(values.length * prefixBytes);
  values.forEach((value, i) => {
    rawHashes.set(toBytes(value, prefixBytes), i * prefixBytes);
  });
  return [{ prefixBytes, rawHashes }];
}

/** The values that this package decodes from codes. */
export function valuesOf(prefixBytes: CodedBytes, coded: PlainRice): bigint[] {
  const [group] = fromHashList(hashListOf(prefixBytes, coded)).additions;
  const { rawHashes } = group!;
  return Array.from({ length: rawHashes.length / prefixBytes }, (_, i) =>
    fromBytes(rawHashes.subarray(i * prefixBytes, (i + 1) * prefixBytes)),
  );
}
