import type { ComponentChildren, VNode } from "preact";

interface ButtonProps {
  readonly isAvailable: boolean;
  readonly onClick: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A button that keeps the focus when it becomes unavailable. A disabled button would lose the focus. */
export function Button({ isAvailable, onClick, class: name, children }: ButtonProps): VNode {
  return (
    <button
      type="button"
      class={name}
      aria-disabled={!isAvailable}
      onClick={() => {
        if (isAvailable) onClick();
      }}
    >
      {children}
    </button>
  );
}
