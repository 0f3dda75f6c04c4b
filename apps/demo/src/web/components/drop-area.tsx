import type { VNode } from "preact";
import { FileButton } from "./file-button.tsx";

interface DropAreaProps {
  /** The kind of file to drop, such as "a file of URLs". */
  readonly what: string;
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Shows where a file can be dropped, and has a button that opens the file dialog. The area is marked during a drag. */
export function DropArea({ what, label, onFile }: DropAreaProps): VNode {
  return (
    <div class="row drop-area">
      <span>Drop {what} here, or</span>
      <FileButton label={label} onFile={onFile} />
    </div>
  );
}
