import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { URL_EXAMPLES } from "./examples.ts";

interface ExamplesProps {
  /** Called when an example is chosen. The browser's Back button returns to the previous text. */
  readonly onExample: (url: string) => void;
}

/** Links to try. */
export function UrlExamples({ onExample }: ExamplesProps): VNode {
  return (
    <details class="examples">
      <summary>More examples</summary>
      <ul class="row" aria-label="Examples">
        {URL_EXAMPLES.map(({ label, value }) => (
          <li key={label}>
            <button type="button" class="chip" onClick={() => onExample(value)}>
              {printable(label)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
