/** `"a, b, and c"`. The formatter is made only when it is needed: the first one takes the platform ten milliseconds. */
export function listInWords(
  words: Iterable<string>,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  return new Intl.ListFormat("en", { type }).format(words);
}
