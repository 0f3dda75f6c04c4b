import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface CopyButtonProps {
  /** Made when it is asked for: it may be long. */
  readonly text: () => string;
  /** What is copied, for the button's name: "canonical URL". */
  readonly what: string;
  readonly label?: string;
}

const SHOWN_MS = 2000;

/** Copies a value whole, however much of it is on the screen. */
export function CopyButton({ text, what, label = "Copy" }: CopyButtonProps): VNode {
  const [outcome, setOutcome] = useState<"" | "Copied" | "Not copied">("");
  useEffect(() => {
    if (outcome === "") return;
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setOutcome("Copied"),
      () => setOutcome("Not copied"),
    );
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {outcome || label}
        <span class="hidden"> {what}</span>
      </button>
      <span class="hidden" aria-live="polite">
        {outcome}
      </span>
    </>
  );
}
