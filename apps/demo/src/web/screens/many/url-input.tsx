import type { VNode } from "preact";
import { DropArea } from "../../components/drop-area.tsx";
import { FileBox } from "../../components/file-box.tsx";
import { TextBox } from "../../components/text-box.tsx";

interface UrlInputProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The file that is checked instead of the text. */
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
        <FileBox file={file} onRemove={() => onFile(null)} />
      )}
      <DropArea what="a file of URLs" label="Choose a file of URLs" onFile={onFile} />
    </>
  );
}
