import type { ComponentChildren, VNode } from "preact";

interface DetailsProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
  readonly children: ComponentChildren;
}

/** A part of a screen that the user can unfold. */
export function Details({ title, isOpen, onFold, children }: DetailsProps): VNode {
  return (
    <details
      class="detail"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onFold(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      <div class="stack detail-body">{children}</div>
    </details>
  );
}
