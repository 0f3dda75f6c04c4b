const WORDS = 2 ** 32;

/** The base 2 logarithm of the number of ways to choose `chosen` of `count` elements. */
export function log2Choices(count, chosen) {
  let bits = 0;
  for (let i = 0; i < chosen; i++) bits += Math.log2((count - i) / (chosen - i));
  return bits;
}

/**
 * The fewest bytes that can say which prefixes of four bytes were removed from a list and which were added, when all
 * changes are equally likely: log2 C(n, removed) + log2 C(2^32 − n, added) bits for a list of n, or the whole list if
 * that is less.
 */
export function fewestBytes({ before, removed, added }) {
  const change = log2Choices(before, removed) + log2Choices(WORDS - before, added);
  return Math.min(change, log2Choices(WORDS, before - removed + added)) / 8;
}
