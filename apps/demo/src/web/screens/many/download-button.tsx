import type { VNode } from "preact";

interface DownloadButtonProps {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly content: () => string;
}

/** Hands over a file that is made here. */
export function DownloadButton({ label, file, type, content }: DownloadButtonProps): VNode {
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([content()], { type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = file;
    link.click();
    // The browser reads it after this turn.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <button type="button" onClick={download}>
      {label}
    </button>
  );
}
