import { fromHex, toHex } from "@x/sha256-prefix";
import { checkDifference } from "./check-difference.ts";
import type { PrefixListDifference } from "./difference.ts";
import { DIFFERENCE_KIND, REMOVALS, readFile, writeFile } from "./file.ts";
import { decodePrefixes, decodeRemovals, encodePrefixes, encodeRemovals } from "./section.ts";

/** The difference as the octets of a file, Rice-Golomb coded as lists are. */
export function encodeDifference(difference: PrefixListDifference): Uint8Array<ArrayBuffer> {
  checkDifference(difference);
  const { name, created, checksum, oldChecksum, removals, additions } = difference;
  return writeFile({
    kind: DIFFERENCE_KIND,
    name,
    created,
    checksum: fromHex(checksum),
    oldChecksum: fromHex(oldChecksum),
    sections: [
      ...(removals.length > 0 ? [encodeRemovals(removals)] : []),
      ...additions.map(encodePrefixes),
    ],
  });
}

/**
 * The difference that {@link encodeDifference} wrote.
 *
 * @throws {PrefixListError} when the octets are anything else than a whole difference.
 */
export function decodeDifference(octets: Uint8Array): PrefixListDifference {
  const { name, created, checksum, oldChecksum, sections } = readFile(octets, DIFFERENCE_KIND);
  const removals = sections[0]?.prefixSize === REMOVALS ? sections[0] : null;
  return {
    name,
    created,
    oldChecksum: toHex(oldChecksum),
    checksum: toHex(checksum),
    removals: removals === null ? new Uint32Array(0) : decodeRemovals(removals),
    additions: sections.filter((section) => section !== removals).map(decodePrefixes),
  };
}
