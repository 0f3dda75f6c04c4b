import { printable } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";
import { durationText } from "../output/duration-text.ts";

/** The warning about a list without entries. */
export const emptyListText = (name: string): string =>
  `the list ${printable(name)} is empty: no URL can be on it`;

/**
 * Returns lines for stderr that warn about lists that are empty, are too old, or have the same name.
 *
 * @param maxAge in milliseconds.
 */
export function listWarnings(
  lists: readonly PrefixList[],
  maxAge: number | undefined,
  now: number = Date.now(),
): string {
  const warnings: string[] = [];
  const names = new Map<string, number>();
  for (const { name, size, created } of lists) {
    const shown = printable(name);
    names.set(name, (names.get(name) ?? 0) + 1);
    if (size === 0) warnings.push(emptyListText(name));
    if (maxAge !== undefined && now - created > maxAge) {
      const date = new Date(created).toISOString();
      warnings.push(`the list ${shown} is ${durationText(now - created)} old: it was made ${date}`);
    }
  }
  for (const [name, count] of names) {
    if (count === 1) continue;
    warnings.push(`${count} lists are named ${printable(name)}: JSON tells them apart by checksum`);
  }
  return warnings.map((warning) => `urlhash: warning: ${warning}\n`).join("");
}
