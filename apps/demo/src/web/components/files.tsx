import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** A button that opens the file dialog. */
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
export function FileBox({ file: { name, size }, onRemove }: FileBoxProps): VNode {
  return (
    <p class="box long-text">
      <strong>{printable(name)}</strong>{" "}
      <span class="muted">{size.toLocaleString("en")} bytes</span>{" "}
      <button type="button" class="quiet" onClick={onRemove}>
        Remove<span class="hidden"> {printable(name)}</span>
      </button>
    </p>
  );
}
