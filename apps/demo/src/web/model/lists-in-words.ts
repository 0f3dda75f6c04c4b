import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";

/** Names lists, and says when they were made: "phishing of 2026-01-02". More than three lists are only counted. */
export function listsInWords(lists: readonly PrefixList[]): string {
  if (lists.length > 3) return counted(lists.length, "list", "lists");
  const named = lists.map(({ name, created }) => {
    const day = created === 0 ? "" : ` of ${new Date(created).toISOString().slice(0, 10)}`;
    return `${printable(name).slice(0, 40)}${day}`;
  });
  return named.length === 0 ? "no list" : named.join(", ");
}
