import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  /** A short text below the title. */
  readonly lead?: ComponentChildren;
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a screen. */
export function Panel({ title, lead, actions, class: name = "", children }: PanelProps): VNode {
  const id = useId();
  return (
    <section class={`stack panel ${name}`} aria-labelledby={id} tabIndex={-1}>
      <div class="row panel-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
