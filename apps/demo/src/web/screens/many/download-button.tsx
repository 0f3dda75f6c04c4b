import type { VNode } from "preact";
import { useState } from "preact/hooks";

interface DownloadButtonProps {
  readonly label: string;
  readonly file: string;
  readonly content: () => Promise<Blob>;
}

/** Lets the user save a file that the page has made. */
export function DownloadButton({ label, file, content }: DownloadButtonProps): VNode {
  const [hasFailed, setHasFailed] = useState(false);
  const download = async (): Promise<void> => {
    const made = await content().catch(() => null);
    setHasFailed(made === null);
    if (made === null) return;
    const url = URL.createObjectURL(made);
    const link = document.createElement("a");
    link.href = url;
    link.download = file;
    link.click();
    // The browser reads the URL only after this turn of the event loop, so it cannot be revoked at once.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <button type="button" onClick={download}>
      {label}
      {hasFailed && " (failed)"}
    </button>
  );
}
