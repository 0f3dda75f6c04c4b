import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Opens the file dialog, so that a file can be chosen with the keyboard. */
export function FileButton({ label, onFile }: FileButtonProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  const choose = (): void => {
    const file = field.current?.files?.[0];
    if (file !== undefined) onFile(file);
    // So that the same file can be chosen again.
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
