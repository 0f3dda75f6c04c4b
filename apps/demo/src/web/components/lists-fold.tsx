import type { ComponentChildren, VNode } from "preact";
import type { DetailName } from "../model/screens.ts";

interface ListsFoldProps {
  /** The chosen tab of the details. */
  readonly tab: DetailName;
  readonly onTab: (tab: DetailName) => void;
  readonly children: ComponentChildren;
}

/** The lists in a fold, for views without other details. */
export function ListsFold({ tab, onTab, children }: ListsFoldProps): VNode {
  const isOpen = tab === "lists";
  return (
    <details
      class="fold"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onTab(isOpen ? "why" : "lists");
      }}
    >
      <summary>Lists</summary>
      {children}
    </details>
  );
}
