/** Formats a number for people, with commas between thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** Formats a number and its noun for people. */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

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
