import { listSourceReader, sourceProblem } from "@x/list-source";
import {
  decodePrefixList,
  type PrefixList,
  prefixListBuilder,
  prefixListFileKind,
} from "@x/prefix-list";
import type { ShownOfMany } from "./visible.ts";

/** The same as the default of `urlhash list build`, so that a file gives the same list on the page. */
export const PREFIX_BYTES = 8;
const MOST_REFUSED = 5;

export interface ListFile {
  readonly bytes: Uint8Array;
  /** The name of the list if the file does not have one. */
  readonly name: string;
  /** When the list was made, if the file does not say so; 0 if that is not known. */
  readonly created: number;
}

export interface BadLine {
  readonly line: number;
  /** The problem in words, safe to show. */
  readonly problem: string;
}

export interface ListSource {
  /** The format in words: `"a hosts file"`. */
  readonly found: string;
  readonly entries: number;
  /** The number of lines that follow the format but cannot be entries, such as cosmetic Adblock rules. */
  readonly notApplicable: number;
  readonly refused: ShownOfMany<BadLine>;
}

export type ReadList =
  | { readonly list: PrefixList; readonly source: ListSource; readonly problem: null }
  /** `problem` says why no list was made from the file. */
  | { readonly list: null; readonly source: ListSource; readonly problem: string };

/**
 * The list in a file: a list file of `@x/prefix-list`, or any format that `@x/list-source` recognizes.
 *
 * @throws PrefixListError when a list file is damaged.
 * @throws ListSourceError when the file is not a list, or its format is not recognized.
 */
export function readList(file: ListFile): ReadList {
  const isList = prefixListFileKind(file.bytes) === "list";
  return isList ? readListFile(file.bytes) : readSource(file);
}

function readListFile(bytes: Uint8Array): ReadList {
  const list = decodePrefixList(bytes);
  const found = "a list of hash prefixes";
  const refused = { shown: [], total: 0 };
  const source = { found, entries: list.size, notApplicable: 0, refused };
  if (list.size === 0) return { list: null, source, problem: "it has no entries" };
  return { list, source, problem: null };
}

function readSource({ bytes, name, created }: ListFile): ReadList {
  const builder = prefixListBuilder();
  const shown: BadLine[] = [];
  const reader = listSourceReader({
    onEntry: ({ hash }) =>
      builder.add(hash.length > PREFIX_BYTES ? hash.subarray(0, PREFIX_BYTES) : hash),
    onRefusal({ line, text, expected }) {
      if (shown.length < MOST_REFUSED) {
        shown.push({ line, problem: `“${text}” is refused: expected ${expected}` });
      }
    },
  });
  reader.push(bytes);
  const { recognition, entries, refused, notApplicable } = reader.end();
  const source = {
    found: recognition.found,
    entries,
    notApplicable,
    refused: { shown, total: refused },
  };
  const problem = sourceProblem({ entries, refused });
  if (problem !== null) {
    const tooMany = "more than 10% of its lines could not be read";
    const isTooMany = problem.code === "too-many-refused";
    return { list: null, source, problem: isTooMany ? tooMany : problem.message };
  }
  return { list: builder.build({ name, created }), source, problem: null };
}
