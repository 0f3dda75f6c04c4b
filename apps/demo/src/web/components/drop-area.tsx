import type { VNode } from "preact";
import { FileButton } from "./file-button.tsx";

interface DropAreaProps {
  /** What to drop, such as "a file of URLs". */
  readonly what: string;
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Shows where a file can be dropped, and has a button that opens the file dialog. It is marked during a drag. */
export function DropArea({ what, label, onFile }: DropAreaProps): VNode {
  return (
    <div class="row drop-area">
      <span>Drop {what} here, or</span>
      <FileButton label={label} onFile={onFile} />
    </div>
  );
}
