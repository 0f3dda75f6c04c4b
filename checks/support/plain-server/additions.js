import { checksumOf, groups } from "./lists.js";
import { bytesField, number } from "./protobuf.js";
import { rice } from "./rice.js";

/* Safe Browsing v4 and Web Risk send prefixes in groups by length. Only prefixes of four bytes may be Rice-coded. */

const byValue = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** A prefix as a number whose first byte is the lowest one. */
const littleEndian = (hex) => BigInt(Buffer.from(hex, "hex").readUInt32LE());

function additionSets(prefixes, isRice) {
  return groups(prefixes).map(([length, group]) =>
    isRice && length === 4
      ? { rice: rice(group.map(littleEndian).sort(byValue), 2, 28) }
      : { length, bytes: Buffer.from(group.join(""), "hex") },
  );
}

export const riceJson = (code, countName) => ({
  firstValue: String(code.first),
  riceParameter: code.parameter,
  [countName]: code.count,
  encodedData: code.data.toString("base64"),
});
export const rawFields = (set) => [number(1, set.length), bytesField(2, set.bytes)];
export const rawJson = (set) => ({
  prefixSize: set.length,
  rawHashes: set.bytes.toString("base64"),
});

export function threatLists({ lists, tokenOf, updateOf }) {
  const nameOfThreat = (threat) =>
    Object.keys(lists).find((name) => lists[name].threatType === threat);

  /**
   * The update from the version of a token to the newest version of the list with a threat type. An unknown list is
   * empty.
   */
  function updateOfThreat({ threat, token, isRice }) {
    const name = nameOfThreat(threat);
    const update =
      name === undefined
        ? { full: true, removals: [], additions: [], newest: [] }
        : updateOf(name, token);
    return {
      ...update,
      sets: additionSets(update.additions, isRice),
      token: name === undefined ? Buffer.from("none") : tokenOf(name),
      checksum: checksumOf(update.newest),
    };
  }

  return { nameOfThreat, updateOfThreat };
}
