/**
 * Joins words into a list, such as `"a, b, and c"`. The formatter is made only when it is needed, because making the
 * first one takes ten milliseconds.
 */
export function listInWords(
  words: Iterable<string>,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  return new Intl.ListFormat("en", { type }).format(words);
}

export function theseLists(lists: readonly unknown[]): string {
  return lists.length > 1 ? "these lists" : "this list";
}
