import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { FileButton } from "../../components/buttons.tsx";
import { TextBox } from "../../components/text-box.tsx";

interface UrlEntryProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isFile: boolean;
  /** The element that shows the file; `null` if there is none, or while its code is loading. */
  readonly fileBox: VNode | null;
  readonly onFile: (file: File | null) => void;
  readonly errorId: string | undefined;
}

/** The field for a link or a text, or the file that takes its place. */
export function UrlEntry({
  value,
  onChange,
  isFile,
  fileBox,
  onFile,
  errorId,
}: UrlEntryProps): VNode {
  const isEmpty = value.trim() === "" && !isFile;
  useEffect(() => {
    // The page starts with an empty field, so that people can paste at once.
    if (isEmpty) document.querySelector<HTMLElement>(".url-entry textarea")?.focus();
  }, []);
  return (
    <search class="stack entry url-entry">
      {isEmpty && (
        <div class="stack invitation">
          <h2>Where does this link really go?</h2>
          <p>
            See which site opens, and if a blocklist has it. Free, offline, no account: nothing is
            sent or opened.
          </p>
        </div>
      )}
      {isFile ? (
        fileBox
      ) : (
        <TextBox
          label="Link or message"
          value={value}
          onChange={onChange}
          rows={isEmpty ? 3 : 1}
          placeholder="Paste a link, or a whole message."
          isWrapped
          onFile={(file) => {
            onChange("");
            onFile(file);
          }}
          // On a phone, the keyboard gives way to the answer.
          onEnter={() => document.querySelector<HTMLElement>(".answer")?.focus()}
          errorId={errorId}
        />
      )}
      {isEmpty && (
        <div>
          <FileButton label="Choose an email or a list of URLs" onFile={onFile} />
        </div>
      )}
    </search>
  );
}
