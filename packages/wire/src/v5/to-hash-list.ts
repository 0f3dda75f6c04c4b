import type { RawHashes } from "@x/prefix-list";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate, writeChecksum } from "../list-update/list-update.ts";
import { toBigEndian } from "../rice/byte-order.ts";
import { encodeValues, V5_RANGE } from "../rice/narrow.ts";
import { encodeWide } from "../rice/wide.ts";
import type { HashList } from "./hash-list.ts";
import { prefixBytesOfName } from "./list-name.ts";

/** The fields of a message other than the contents of the list. */
export interface HashListFacts {
  /** The name in v5. When it ends in a prefix length, such as `-4b`, the hash prefixes must have that length. */
  readonly name: string;
  /** The client sends this back when it asks for the next update. */
  readonly version: Uint8Array;
  /** How long the client waits before it asks again, in milliseconds. */
  readonly minimumWaitDuration: number;
}

type Additions = Pick<
  HashList,
  "additionsFourBytes" | "additionsEightBytes" | "additionsSixteenBytes" | "additionsThirtyTwoBytes"
>;

const NONE: Additions = {
  additionsFourBytes: null,
  additionsEightBytes: null,
  additionsSixteenBytes: null,
  additionsThirtyTwoBytes: null,
};

/** Throws when the hash prefixes of a list cannot have this length. */
export function checkNamedLength(name: string, prefixBytes: number): void {
  const named = prefixBytesOfName(name);
  if (named !== null && named !== prefixBytes) throw new WireError("prefix-length-wrong", name);
}

function encodeAdditions({ prefixBytes, rawHashes }: RawHashes): Additions {
  if (prefixBytes === 4) {
    return { ...NONE, additionsFourBytes: encodeValues(toBigEndian(rawHashes), V5_RANGE) };
  }
  if (prefixBytes !== 8 && prefixBytes !== 16 && prefixBytes !== 32) {
    throw new WireError("prefix-length-wrong");
  }
  const { first, ...coded } = encodeWide(prefixBytes, rawHashes);
  const view = new DataView(first.buffer, first.byteOffset, first.byteLength);
  const part = (index: number) => view.getBigUint64(index * 8);
  switch (prefixBytes) {
    case 8:
      return { ...NONE, additionsEightBytes: { firstValue: part(0), ...coded } };
    case 16: {
      const parts = { firstValueHi: part(0), firstValueLo: part(1) };
      return { ...NONE, additionsSixteenBytes: { ...parts, ...coded } };
    }
    default: {
      const parts = {
        firstValueFirstPart: part(0),
        firstValueSecondPart: part(1),
        firstValueThirdPart: part(2),
        firstValueFourthPart: part(3),
      };
      return { ...NONE, additionsThirtyTwoBytes: { ...parts, ...coded } };
    }
  }
}

/**
 * Makes the message for an update of a list.
 *
 * @throws {WireError} `prefix-length-wrong` when the hash prefixes have several lengths, or one that does not fit
 * v5 or the name of the list; `full-update-removes` or `checksum-missing` when the update contradicts itself.
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
    ...(group === undefined ? NONE : encodeAdditions(group)),
    compressedRemovals: removals.length === 0 ? null : encodeValues(removals, V5_RANGE),
    minimumWaitDuration,
    sha256Checksum: writeChecksum(checksum),
    metadata: null,
  };
}
