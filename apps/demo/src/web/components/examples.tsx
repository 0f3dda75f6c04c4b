import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { ROOMY } from "./roomy.ts";

export interface Example<T> {
  /** What the example shows. */
  readonly label: string;
  readonly value: T;
}

interface ExamplesProps<T> {
  readonly examples: readonly Example<T>[];
  readonly onChoose: (value: T) => void;
}

/** Examples to click. */
export function Examples<T>({ examples, onChoose }: ExamplesProps<T>): VNode {
  return (
    <details class="examples" open={matchMedia(ROOMY).matches}>
      <summary>Examples</summary>
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
