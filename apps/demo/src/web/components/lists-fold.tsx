import type { ComponentChildren, VNode } from "preact";
import type { DetailName } from "../model/screens.ts";

interface ListsFoldProps {
  /** The details that are chosen. */
  readonly tab: DetailName;
  readonly onTab: (tab: DetailName) => void;
  readonly children: ComponentChildren;
}

/** The lists, where there are no other details beside them. */
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
