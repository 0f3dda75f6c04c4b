import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { DropArea } from "../../components/drop-area.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { MANY_EXAMPLE } from "../../model/bulk/example.ts";

interface UrlInputProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** A file instead of the text. */
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
  readonly canStart: boolean;
  readonly onStart: () => void;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
}

/** The URLs to check: a text or a file. */
export function UrlInput(props: UrlInputProps): VNode {
  const { text, onText, file, onFile } = props;
  return (
    <>
      {file === null ? (
        <TextBox label="URLs, one per line" value={text} rows={8} onChange={onText} />
      ) : (
        <p class="file">
          <strong>{printable(file.name)}</strong>{" "}
          <span class="muted">{file.size.toLocaleString("en")} bytes</span>{" "}
          <button type="button" class="quiet" onClick={() => onFile(null)}>
            Remove<span class="hidden"> {printable(file.name)}</span>
          </button>
        </p>
      )}
      <DropArea what="a file of URLs" label="Choose a file of URLs" onFile={onFile} />
      <div class="buttons">
        <Button class="primary" isAvailable={props.canStart} onClick={props.onStart}>
          Check
        </Button>
        <Button isAvailable={props.isRunning} onClick={props.onCancel}>
          Cancel
        </Button>
        {(file !== null || text !== MANY_EXAMPLE) && (
          <button
            type="button"
            onClick={() => {
              onFile(null);
              onText(MANY_EXAMPLE);
            }}
          >
            Example
          </button>
        )}
      </div>
    </>
  );
}
