import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface ButtonProps {
  readonly isAvailable: boolean;
  readonly onClick: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A button that keeps the focus when it becomes unavailable. A disabled button would lose the focus. */
export function Button({ isAvailable, onClick, class: name, children }: ButtonProps): VNode {
  return (
    <button
      type="button"
      class={name}
      aria-disabled={!isAvailable}
      onClick={() => {
        if (isAvailable) onClick();
      }}
    >
      {children}
    </button>
  );
}

export interface ActionProps {
  readonly label: string;
  /** What the button is about, such as "canonical URL", if several buttons have the same label. */
  readonly what?: string | undefined;
  readonly class?: string | undefined;
}

const SHOWN_MS = 2000;

/** A button that says for a short time what it has done. `act` returns that in a few words, or an empty text. */
export function ActionButton(props: ActionProps & { readonly act: () => Promise<string> }): VNode {
  const { label, what, class: name, act } = props;
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (outcome === "") return;
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <>
      <button type="button" class={name} onClick={async () => setOutcome(await act())}>
        {outcome || label}
        {what !== undefined && outcome === "" && <span class="hidden"> {what}</span>}
      </button>
      <span class="hidden" aria-live="polite">
        {outcome}
      </span>
    </>
  );
}

interface CopyButtonProps extends Partial<ActionProps> {
  /** Makes the text to copy. Called only when the button is clicked, because the text may be long. */
  readonly text: () => string;
  readonly done?: string;
}

/** A button that copies a whole value, even when only a part of it is shown. */
export function CopyButton({ text, done = "Copied", ...named }: CopyButtonProps): VNode {
  const copy = (): Promise<string> =>
    navigator.clipboard.writeText(text()).then(
      () => done,
      () => "Not copied",
    );
  return <ActionButton label="Copy" class="quiet" {...named} act={copy} />;
}

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

export function FileButton({ label, onFile }: FileButtonProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        {label}
      </button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          // An empty value lets the user choose the same file again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
