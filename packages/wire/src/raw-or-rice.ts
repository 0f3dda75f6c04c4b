import type { EntryLimit, RawHashes } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { maxEntriesOf, type RiceDeltas, riceEncode } from "@x/prefix-list/rice";
import { fromHex } from "@x/sha256-prefix";
import { WireError } from "./error.ts";
import {
  checkOverlap,
  checkUpdate,
  combineGroups,
  type ListUpdate,
  readChecksum,
  readGroup,
} from "./list-update.ts";
import { decodeValues, fromLittleEndian, toLittleEndian, V4_RANGE } from "./rice-codes.ts";

/*
 * Writes and reads the contents of updates in v4 and Web Risk. The messages of both have the same parts, raw or Rice
 * coded, under different names.
 */

/** Hash prefixes of one length, one after the other. */
export interface RawHashesMessage {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

/** The indices of the entries to remove, in the sorted old list. */
export interface RawIndices {
  readonly indices: readonly number[];
}

/** The SHA-256 of all entries of a list. */
export interface Checksum {
  readonly sha256: Uint8Array;
}

interface Parts {
  readonly rawHashes: readonly RawHashesMessage[];
  readonly riceHashes: readonly RiceDeltas[];
  readonly rawIndices: readonly RawIndices[];
  readonly riceIndices: readonly RiceDeltas[];
  readonly checksum: Checksum | null;
}

/** Writes an update as the parts of a message, which are Rice coded where possible if the client supports it. */
export function writeParts(
  update: ListUpdate,
  supportedCompressions: readonly string[] = [],
): Parts {
  const { removals, additions, checksum } = checkUpdate(update);
  checkOverlap(additions);
  const hasRice = supportedCompressions.includes("RICE");
  const isRice = ({ prefixBytes }: RawHashes) => hasRice && prefixBytes === 4;
  const runs = removals.length === 0 ? [] : [removals];
  return {
    rawHashes: additions
      .filter((group) => !isRice(group))
      .map(({ prefixBytes, rawHashes }) => ({ prefixSize: prefixBytes, rawHashes })),
    riceHashes: additions
      .filter(isRice)
      .map(({ rawHashes }) => encodeValues(toLittleEndian(rawHashes))),
    rawIndices: hasRice ? [] : runs.map((indices) => ({ indices: Array.from(indices) })),
    riceIndices: hasRice ? runs.map(encodeValues) : [],
    checksum: checksum === null ? null : { sha256: fromHex(checksum) },
  };
}

/** Reads the update from the parts of a message. */
export function readParts(parts: Parts, full: boolean, limit: EntryLimit): ListUpdate {
  const maxEntries = maxEntriesOf(limit);
  const checksum = readChecksum(parts.checksum?.sha256 ?? new Uint8Array(0));
  const groups = parts.rawHashes.map(({ prefixSize, rawHashes }) =>
    readGroup(prefixSize, rawHashes),
  );
  for (const coded of parts.riceHashes) {
    const values = decodeCodes(coded, maxEntries, "additions-unordered");
    groups.push({ prefixBytes: 4, rawHashes: fromLittleEndian(values) });
  }
  if (countEntries(groups) > maxEntries) throw new WireError("too-many-entries");
  const runs = [
    ...parts.rawIndices.map(({ indices }) => indices),
    ...parts.riceIndices.map((coded) => decodeCodes(coded, maxEntries, "removals-wrong")),
  ];
  const removals = combineRemovals(runs);
  return checkUpdate({ full, removals, additions: combineGroups(groups), checksum });
}

/** Decodes ascending values. If there is only one value, the Rice parameter may be missing. */
function decodeCodes(
  coded: RiceDeltas,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  const isSingle = coded.entriesCount === 0 && coded.riceParameter === 0;
  if (isSingle && coded.encodedData.length > 0) throw new WireError("rice-data-damaged");
  const riceParameter = isSingle ? V4_RANGE.riceParameters[0] : coded.riceParameter;
  return decodeValues({ ...coded, riceParameter }, V4_RANGE, maxEntries, repeated);
}

function encodeValues(values: Uint32Array): RiceDeltas {
  const coded = riceEncode(values, V4_RANGE);
  return coded.entriesCount === 0 ? { ...coded, riceParameter: 0 } : coded;
}

/**
 * Combines the removal indices of a message, which may be in several runs, into one ascending run. Throws when an index
 * is negative or repeated, or when a single run does not ascend.
 */
export function combineRemovals(runs: readonly ArrayLike<number>[]): Uint32Array {
  const [first] = runs;
  const all = runs.length === 1 && first instanceof Uint32Array ? first : joinRuns(runs);
  for (let i = 1; i < all.length; i++) {
    if (all[i]! <= all[i - 1]!) throw new WireError("removals-wrong");
  }
  return all;
}

function joinRuns(runs: readonly ArrayLike<number>[]): Uint32Array {
  const all = new Uint32Array(runs.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const run of runs) {
    for (let i = 0; i < run.length; i++) {
      if (run[i]! < 0) throw new WireError("removals-wrong");
      all[used++] = run[i]!;
    }
  }
  return runs.length > 1 ? all.sort() : all;
}
