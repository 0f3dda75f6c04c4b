import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Opens the file dialog: the same as dropping a file, for the keyboard. */
export function FileButton({ label, onFile }: FileButtonProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  const choose = (): void => {
    const file = field.current?.files?.[0];
    if (file !== undefined) onFile(file);
    // The same file may be chosen again.
    if (field.current !== null) field.current.value = "";
  };
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        {label}
      </button>
      <input ref={field} type="file" hidden aria-label={label} onChange={choose} />
    </>
  );
}
