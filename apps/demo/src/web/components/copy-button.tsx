import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface CopyButtonProps {
  /** Makes the text to copy. Called only when the button is clicked, because the text may be long. */
  readonly text: () => string;
  /** The name of the copied value, for the label of the button, such as "canonical URL". */
  readonly what: string;
  readonly label?: string;
  /** The message after copying, instead of "Copied". */
  readonly done?: string;
}

const SHOWN_MS = 2000;

/** A button that copies a whole value, even when only a part of it is shown. */
export function CopyButton({
  text,
  what,
  label = "Copy",
  done = "Copied",
}: CopyButtonProps): VNode {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (outcome === "") return;
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setOutcome(done),
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
