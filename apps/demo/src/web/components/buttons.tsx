import { printable } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

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

interface CopyButtonProps {
  /** Makes the text to copy. Called only when the button is clicked, because the text may be long. */
  readonly text: () => string;
  /** The name of the copied value, for the label of the button, such as "canonical URL". */
  readonly what: string;
  readonly label?: string;
  readonly done?: string;
}

const SHOWN_MS = 2000;

/** What a button has done, in a few words, for a short time. */
function useOutcome(): [outcome: string, set: (outcome: string) => void] {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (outcome === "") return;
    const timer = setTimeout(() => setOutcome(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return [outcome, setOutcome];
}

/** A button that copies a whole value, even when only a part of it is shown. */
export function CopyButton({
  text,
  what,
  label = "Copy",
  done = "Copied",
}: CopyButtonProps): VNode {
  const [outcome, setOutcome] = useOutcome();
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
        {outcome === "" && <span class="hidden"> {what}</span>}
      </button>
      <span class="hidden" aria-live="polite">
        {outcome}
      </span>
    </>
  );
}

interface DownloadButtonProps {
  readonly label: string;
  /** The name of the thing that is saved, if several buttons have the same label. */
  readonly what?: string;
  readonly file: string;
  readonly content: () => Promise<Blob>;
  readonly class?: string | undefined;
  /** Whether the file goes to the sharing menu of the system, where there is one. */
  readonly isShared?: boolean;
}

function save(made: Blob, name: string): void {
  const url = URL.createObjectURL(made);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the URL only after this turn of the event loop, so it cannot be revoked at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function DownloadButton(props: DownloadButtonProps): VNode {
  const { label, what, file, content, class: name, isShared = false } = props;
  const [outcome, setOutcome] = useOutcome();
  const download = async (): Promise<void> => {
    const made = await content().catch(() => null);
    if (made === null) {
      setOutcome("Failed");
      return;
    }
    const files = [new File([made], file, { type: made.type })];
    if (isShared && navigator.canShare?.({ files })) {
      // The user may close the menu, which is no failure.
      await navigator.share({ files }).catch(() => {});
    } else {
      save(made, file);
      setOutcome(`Saved ${file}`);
    }
  };
  return (
    <>
      <button type="button" class={name} onClick={download}>
        {outcome || label}
        {what !== undefined && <span class="hidden"> {what}</span>}
      </button>
      <span class="hidden" aria-live="polite">
        {outcome}
      </span>
    </>
  );
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

interface FileBoxProps {
  readonly file: File;
  readonly onRemove: () => void;
}

/** A file that is used instead of the text of a field. */
export function FileBox({ file, onRemove }: FileBoxProps): VNode {
  const { name, size } = file;
  const box = useRef<HTMLParagraphElement>(null);
  // The field that had the focus is gone.
  useLayoutEffect(() => box.current?.focus(), [file]);
  return (
    <p ref={box} class="box long-text" tabIndex={-1}>
      <strong>{printable(name)}</strong>{" "}
      <span class="muted">{size.toLocaleString("en")} bytes</span>{" "}
      <button type="button" class="quiet" onClick={onRemove}>
        Remove<span class="hidden"> {printable(name)}</span>
      </button>
    </p>
  );
}
