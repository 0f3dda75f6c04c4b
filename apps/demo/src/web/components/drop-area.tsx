import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface DropAreaProps {
  /** What to drop, such as "a file of URLs". */
  readonly what: string;
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Shows where a file can be dropped, and has a button that opens the file dialog. It is marked during a drag. */
export function DropArea({ what, label, onFile }: DropAreaProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div class="row drop-area">
      <span>Drop {what} here, or</span>
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
          // This lets the user choose the same file again.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
