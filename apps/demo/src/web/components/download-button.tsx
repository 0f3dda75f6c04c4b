import type { VNode } from "preact";
import { useState } from "preact/hooks";

interface DownloadButtonProps {
  readonly label: string;
  readonly file: string;
  readonly content: () => Promise<Blob>;
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

/** Lets the user save or share a file that the page has made. */
export function DownloadButton(props: DownloadButtonProps): VNode {
  const { label, file, content, isShared = false } = props;
  const [hasFailed, setHasFailed] = useState(false);
  const download = async (): Promise<void> => {
    const made = await content().catch(() => null);
    setHasFailed(made === null);
    if (made === null) return;
    const files = [new File([made], file, { type: made.type })];
    if (isShared && navigator.canShare?.({ files })) {
      // The user may close the menu, which is no failure.
      await navigator.share({ files }).catch(() => {});
    } else save(made, file);
  };
  return (
    <button type="button" onClick={download}>
      {label}
      {hasFailed && " (failed)"}
    </button>
  );
}
