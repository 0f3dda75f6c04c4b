import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import type { DetailName } from "../model/screens.ts";

interface PanelProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

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

/** Says how many of several things are not shown. */
export function More({ hidden }: { readonly hidden: number }): VNode | null {
  return hidden <= 0 ? null : <p class="muted">and {hidden.toLocaleString("en")} more</p>;
}

interface ListsFoldProps {
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

export interface Example<T> {
  /** The feature that the example shows. */
  readonly label: string;
  readonly value: T;
}

interface ExamplesProps<T> {
  readonly examples: readonly Example<T>[];
  readonly title?: string;
  readonly onChoose: (value: T) => void;
}

export function Examples<T>(props: ExamplesProps<T>): VNode {
  const { examples, title = "Examples", onChoose } = props;
  return (
    <details class="examples">
      <summary>{title}</summary>
      <ul class="row" aria-label="Examples">
        {examples.map(({ label, value }) => (
          <li key={label}>
            <button type="button" class="chip" onClick={() => onChoose(value)}>
              {printable(label)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
