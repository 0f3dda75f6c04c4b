import { decodePrefixList, type PrefixList, prefixList } from "@x/prefix-list";
import { linesOf } from "../../lines.ts";
import { readEntry } from "../../list/read-entry.ts";

/** The first octets of a file of `@x/prefix-list`. */
const MAGIC = [0x89, 0x48, 0x50, 0x4c];
const PREFIX_BYTES = 4;

/** Whether octets mean to be a file of `@x/prefix-list`, sound or not. */
export function isListFile(octets: Uint8Array): boolean {
  return MAGIC.every((octet, i) => octets[i] === octet);
}

export interface ListFile {
  readonly octets: Uint8Array;
  /** What a list of plain lines is called. */
  readonly name: string;
}

/** A line of a list that names nothing. */
export interface BadLine {
  readonly line: number;
  /** Printable. */
  readonly problem: string;
}

export interface ReadList {
  readonly list: PrefixList;
  readonly badLines: readonly BadLine[];
}

/**
 * The list that a file holds: one of `@x/prefix-list`, or plain lines, each a URL that stands for its exact
 * host, path and query. Lines that start with `#` are comments.
 *
 * @throws PrefixListError for a broken file.
 */
export function readList({ octets, name }: ListFile): ReadList {
  if (isListFile(octets)) return { list: decodePrefixList(octets), badLines: [] };
  const badLines: BadLine[] = [];
  const hashes: Uint8Array[] = [];
  for (const line of linesOf(octets)) {
    const { hash, problem } = readEntry(line);
    if (hash !== null) hashes.push(hash.subarray(0, PREFIX_BYTES));
    if (problem !== null) badLines.push({ line: line.number, problem });
  }
  return { list: prefixList(hashes, { name }), badLines };
}
