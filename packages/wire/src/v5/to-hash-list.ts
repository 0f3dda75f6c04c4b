import type { RawHashes } from "@x/prefix-list";
import { firstWords } from "@x/prefix-list/raw-hashes";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate, writeChecksum } from "../list-update/list-update.ts";
import { encodeValues, V5_RANGE } from "../rice/narrow.ts";
import { encodeWide } from "../rice/wide.ts";
import { type HashList, WIDE_ADDITIONS } from "./hash-list.ts";
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

function encodeAdditions(group: RawHashes): Additions {
  const { prefixBytes, rawHashes } = group;
  if (prefixBytes === 4) {
    return { ...NONE, additionsFourBytes: encodeValues(firstWords(group), V5_RANGE) };
  }
  const wide = WIDE_ADDITIONS.find((each) => each.prefixBytes === prefixBytes);
  if (wide === undefined) throw new WireError("prefix-length-wrong");
  const { first, ...coded } = encodeWide(wide.prefixBytes, rawHashes);
  const view = new DataView(first.buffer, first.byteOffset, first.byteLength);
  const parts = wide.parts.map((name, i) => [name, view.getBigUint64(i * 8)]);
  return { ...NONE, [wide.field]: { ...Object.fromEntries(parts), ...coded } };
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
