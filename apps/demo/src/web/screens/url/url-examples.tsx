import type { VNode } from "preact";
import { Examples } from "../../components/examples.tsx";
import { URL_EXAMPLES } from "./examples.ts";

interface ExamplesProps {
  /** Called when an example is chosen. The browser's Back button returns to the previous text. */
  readonly onExample: (url: string) => void;
}

export function UrlExamples({ onExample }: ExamplesProps): VNode {
  return (
    <Examples examples={URL_EXAMPLES} title="More examples" isOpen={false} onChoose={onExample} />
  );
}
