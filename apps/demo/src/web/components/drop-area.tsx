import type { VNode } from "preact";
import { FileButton } from "./file-button.tsx";

interface DropAreaProps {
  /** What to drop: "a file of URLs". */
  readonly what: string;
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Says that a file can be dropped, and opens the file dialog. It is marked while a file is dragged over the page. */
export function DropArea({ what, label, onFile }: DropAreaProps): VNode {
  return (
    <div class="drop-area">
      <span>Drop {what} here, or</span>
      <FileButton label={label} onFile={onFile} />
    </div>
  );
}
