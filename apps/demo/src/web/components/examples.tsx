import type { VNode } from "preact";
import { printable } from "../../text/printable.ts";

export interface Example<T> {
  /** What it shows. */
  readonly label: string;
  readonly value: T;
}

interface ExamplesProps<T> {
  readonly examples: readonly Example<T>[];
  readonly onChoose: (value: T) => void;
}

/** Where there is room, the examples are in sight from the start. */
const ROOMY = "(min-width: 52rem)";

/** Values to click. */
export function Examples<T>({ examples, onChoose }: ExamplesProps<T>): VNode {
  return (
    <details class="examples" open={matchMedia(ROOMY).matches}>
      <summary>Examples</summary>
      <ul aria-label="Examples">
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
