import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import type { Lists } from "../hooks/use-lists.ts";

/** Shows that a dropped or fetched list is being read, or why it was not added, while the list panel is not visible. */
export function ListNotice({ lists: { reading, problem } }: { readonly lists: Lists }): VNode {
  return (
    <div class="live" role="status">
      {reading !== null && <p class="muted">Reading {printable(reading)} …</p>}
      {problem !== null && <p class="warning">{printable(problem.message)}</p>}
    </div>
  );
}
