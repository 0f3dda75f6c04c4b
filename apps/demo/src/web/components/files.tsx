import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ActionButton, type ActionProps } from "./buttons.tsx";

interface DownloadButtonProps extends ActionProps {
  readonly file: string;
  readonly content: () => Promise<Blob>;
  /** Whether the file goes to the sharing menu of the system, where there is one. */
  readonly isShared?: boolean;
}

function save(made: Blob, name: string): void {
  const url = URL.createObjectURL(made);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser reads the URL only after this turn of the event loop, so it cannot be revoked at once.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function DownloadButton(props: DownloadButtonProps): VNode {
  const { file, content, isShared = false, ...named } = props;
  const download = async (): Promise<string> => {
    const made = await content().catch(() => null);
    if (made === null) return "Failed";
    const files = [new File([made], file, { type: made.type })];
    if (isShared && navigator.canShare?.({ files })) {
      // The user may close the menu, which is no failure.
      await navigator.share({ files }).catch(() => {});
      return "";
    }
    save(made, file);
    return `Saved ${file}`;
  };
  return <ActionButton {...named} act={download} />;
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
