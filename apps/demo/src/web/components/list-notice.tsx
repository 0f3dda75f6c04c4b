import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import type { Lists } from "../hooks/use-lists.ts";

/** Says what became of a list that was dropped or fetched while the panel of the lists is folded. */
export function ListNotice({ lists: { reading, problem } }: { readonly lists: Lists }): VNode {
  return (
    <div class="live" role="status">
      {reading !== null && <p class="muted">Reading {printable(reading)} …</p>}
      {problem !== null && <p class="warning">{printable(problem.message)}</p>}
    </div>
  );
}
