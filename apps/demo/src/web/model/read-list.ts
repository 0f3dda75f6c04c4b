import { readListEntry } from "@x/explain";
import { printable } from "@x/explain/printable";
import { linesIn } from "@x/lookup/lines";
import {
  decodePrefixList,
  type PrefixList,
  prefixListBuilder,
  prefixListFileKind,
} from "@x/prefix-list";

const PREFIX_BYTES = 4;

export interface ListFile {
  readonly bytes: Uint8Array;
  /** The name of a list that is plain text. */
  readonly name: string;
}

/** A line that is not a valid entry. */
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
 * The list in a file: a list file of `@x/prefix-list`, or plain text with one URL or expression per line.
 *
 * @throws PrefixListError when a list file is broken.
 */
export function readList({ bytes, name }: ListFile): ReadList {
  if (prefixListFileKind(bytes) !== null) return { list: decodePrefixList(bytes), badLines: [] };
  const badLines: BadLine[] = [];
  const builder = prefixListBuilder({ prefixBytes: PREFIX_BYTES });
  for (const { line, start, end } of linesIn(bytes)) {
    const entry = readListEntry(bytes.subarray(start, end));
    if (entry === null) continue;
    if ("hash" in entry) builder.add(entry.hash);
    else badLines.push({ line: line + 1, problem: printable(entry.error.message) });
  }
  return { list: builder.build({ name }), badLines };
}
