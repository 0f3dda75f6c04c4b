import { fromHex, toHex } from "@x/sha256-prefix";
import { checksumOf } from "./checksum.ts";
import { PrefixListError } from "./error.ts";
import { LIST_KIND, readFile, writeFile } from "./file.ts";
import { listOfSorted, type PrefixList, rawHashes } from "./prefix-list.ts";
import { decodePrefixes, encodePrefixes } from "./section.ts";

/**
 * The list as the octets of a file: name, time and checksum, then the prefixes, Rice-Golomb coded.
 *
 * The same list gives the same octets.
 */
export function encodePrefixList(list: PrefixList): Uint8Array<ArrayBuffer> {
  return writeFile({
    kind: LIST_KIND,
    name: list.name,
    created: list.created,
    checksum: fromHex(list.checksum),
    oldChecksum: new Uint8Array(32),
    sections: rawHashes(list).map(encodePrefixes),
  });
}

/**
 * The list that {@link encodePrefixList} wrote.
 *
 * @throws {PrefixListError} when the octets are anything else than a whole, undamaged list.
 */
export function decodePrefixList(octets: Uint8Array): PrefixList {
  const { name, created, checksum, sections } = readFile(octets, LIST_KIND);
  const batches = sections.map(decodePrefixes);
  const expected = toHex(checksum);
  if (checksumOf(batches) !== expected) {
    throw new PrefixListError("checksum-wrong", "The prefixes do not have the checksum named", 24);
  }
  return listOfSorted(batches, name, created, expected);
}
