import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import type { Cell } from "../../model/lattice.ts";

interface OnListsProps extends Pick<Cell, "lists"> {
  /** The text when the expression is on no list. */
  readonly none: string;
}

/** The lists that an expression is on. */
export function OnLists({ lists, none }: OnListsProps): VNode {
  if (lists.length === 0) return <span class="muted">{none}</span>;
  const names = lists.map((list) => printable(list).slice(0, 60));
  return <span class="tag listed">{names.join(", ")}</span>;
}
