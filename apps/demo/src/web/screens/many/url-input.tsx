import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { DropArea } from "../../components/drop-area.tsx";
import { TextBox } from "../../components/text-box.tsx";

interface UrlInputProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** A file instead of the text. */
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

/** The URLs to check: a text or a file. */
export function UrlInput({ value, onChange, file, onFile }: UrlInputProps): VNode {
  return (
    <>
      {file === null ? (
        <TextBox label="URLs, one per line" value={value} rows={8} onChange={onChange} />
      ) : (
        <p class="box long-text">
          <strong>{printable(file.name)}</strong>{" "}
          <span class="muted">{file.size.toLocaleString("en")} bytes</span>{" "}
          <button type="button" class="quiet" onClick={() => onFile(null)}>
            Remove<span class="hidden"> {printable(file.name)}</span>
          </button>
        </p>
      )}
      <DropArea what="a file of URLs" label="Choose a file of URLs" onFile={onFile} />
    </>
  );
}
