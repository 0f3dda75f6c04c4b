/** `"a, b, and c"`. The formatter is made when it is used: the first one takes the platform ten milliseconds. */
export function listInWords(
  words: Iterable<string>,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  return new Intl.ListFormat("en", { type }).format(words);
}
