import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { TextBox } from "../../components/text-box.tsx";
import { URL_EXAMPLES } from "./examples.ts";

interface UrlEntryProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called when an example is chosen. The browser's Back button returns to the previous text. */
  readonly onExample: (url: string) => void;
  readonly errorId: string | undefined;
}

/** The number of examples that are always shown. The others are folded. */
const SHOWN = 5;

/** The field for one URL, and examples. */
export function UrlEntry({ value, onChange, onExample, errorId }: UrlEntryProps): VNode {
  const chips = (examples: typeof URL_EXAMPLES): VNode[] =>
    examples.map(({ label, value: example }) => (
      <li key={label}>
        <button
          type="button"
          class="chip"
          aria-current={example === value}
          onClick={() => onExample(example)}
        >
          {printable(label)}
        </button>
      </li>
    ));
  return (
    <search class="stack entry url-entry">
      <TextBox
        label="URL"
        tag={URL_EXAMPLES.some((example) => example.value === value) ? "Example" : ""}
        value={value}
        onChange={onChange}
        rows={1}
        isWrapped
        errorId={errorId}
      />
      <p class="muted about">
        See which site a link opens, and whether a blocklist has it. Checked in this tab: nothing is
        sent or opened.
      </p>
      <div class="row examples">
        <span class="muted">Try:</span>
        <ul class="row" aria-label="Examples">
          {chips(URL_EXAMPLES.slice(0, SHOWN))}
        </ul>
        <details>
          <summary>More examples</summary>
          <ul class="row" aria-label="More examples">
            {chips(URL_EXAMPLES.slice(SHOWN))}
          </ul>
        </details>
      </div>
    </search>
  );
}
