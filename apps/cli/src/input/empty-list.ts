import { printable } from "@x/explain/printable";

/** What commands and helpers say about a list without entries. */
export const emptyListText = (name: string): string =>
  `the list ${printable(name)} is empty: no URL can be on it`;
