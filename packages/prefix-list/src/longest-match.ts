import type { PrefixList } from "./prefix-list.ts";
import { tableHas, tableHasWord } from "./table.ts";
import { wordAt } from "./word.ts";

/**
 * The length in octets of the longest prefix in the list that the octets at `offset` begin with; 0 when
 * there is none.
 *
 * It allocates nothing, so that millions of hashes in one buffer can be checked in a loop.
 */
export function longestMatch(list: PrefixList, octets: Uint8Array, offset: number = 0): number {
  const available = octets.length - offset;
  if (available < 4) return 0;
  const word = wordAt(octets, offset);
  const { tables } = list;
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i]!;
    if (table.prefixSize <= available && tableHas(table, word, octets, offset)) {
      return table.prefixSize;
    }
  }
  return 0;
}

/**
 * Whether any prefix in the list begins with the four octets that `word` stands for, the first of them the
 * most significant: `false` means that no hash which begins with them is in the list.
 */
export function mayMatch(list: PrefixList, word: number): boolean {
  const { tables } = list;
  for (let i = 0; i < tables.length; i++) if (tableHasWord(tables[i]!, word)) return true;
  return false;
}
