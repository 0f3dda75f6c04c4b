import { printable } from "@x/explain/printable";
import type { VNode } from "preact";

/** On screens at least this wide, long parts of the page are unfolded at the start. */
const ROOMY = "(min-width: 52rem)";

export interface Example<T> {
  /** The feature that the example shows. */
  readonly label: string;
  readonly value: T;
}

interface ExamplesProps<T> {
  readonly examples: readonly Example<T>[];
  readonly title?: string;
  readonly isOpen?: boolean;
  readonly onChoose: (value: T) => void;
}

/** Examples that the user can choose with a click. */
export function Examples<T>(props: ExamplesProps<T>): VNode {
  const { examples, title = "Examples", isOpen = matchMedia(ROOMY).matches, onChoose } = props;
  return (
    <details class="examples" open={isOpen}>
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
