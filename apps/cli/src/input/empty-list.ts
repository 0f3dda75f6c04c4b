import { printable } from "@x/explain/printable";

/** The warning about a list without entries. */
export const emptyListText = (name: string): string =>
  `the list ${printable(name)} is empty: no URL can be on it`;
