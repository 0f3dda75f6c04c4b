import { printable } from "@x/explain/printable";
import type { VNode } from "preact";

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
