import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import { hiddenCharacters } from "../model/visible.ts";
import { CopyButton } from "./copy-button.tsx";
import { Data } from "./data.tsx";

/** A longer text is kept, but not laid out in a text field, which would hold up the page. */
const LONGEST_EDITED = 20_000;

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly hint?: ComponentChildren;
  /** The id of what says why the text is not what it should be; left out when it is. */
  readonly errorId?: string | undefined;
  /** One value, of which line ends are part, rather than lines. */
  readonly isWrapped?: boolean;
}

/** A field for text of any length. */
export function TextBox(props: TextBoxProps): VNode {
  const { label, value, onChange, rows = 3, hint, errorId, isWrapped = false } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const warningId = `${id}-warning`;
  const isLong = value.length > LONGEST_EDITED;
  // Line ends show in a field, by what they do.
  const hidden = isLong ? null : hiddenCharacters(value.replace(/[\r\n]/g, ""));
  const isWarning = hidden !== null && hidden.count > 0;
  // Not every screen reader follows aria-errormessage.
  const descriptions = [errorId, isWarning && warningId, hint !== undefined && hintId];

  const paste = (event: ClipboardEvent): void => {
    const field = event.currentTarget as HTMLTextAreaElement;
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    const whole =
      field.value.slice(0, field.selectionStart) + pasted + field.value.slice(field.selectionEnd);
    if (whole.length <= LONGEST_EDITED) return;
    event.preventDefault();
    onChange(whole);
  };

  return (
    <div class="field">
      <div class="field-head">
        {isLong ? <span class="label">{label}</span> : <label for={id}>{label}</label>}
        {value !== "" && (
          <span class="field-actions">
            <CopyButton text={() => value} what={label} />
            <button type="button" class="quiet" onClick={() => onChange("")}>
              Clear<span class="hidden"> {label}</span>
            </button>
          </span>
        )}
      </div>
      {isLong ? (
        <div class="long-text">
          <p>
            {value.length.toLocaleString("en")} characters: kept and used whole, shown in short, not
            to be edited here.
          </p>
          <Data text={value} limit={600} />
        </div>
      ) : (
        <textarea
          id={id}
          class={isWrapped ? "data wrapped" : "data"}
          dir="ltr"
          rows={rows}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-invalid={errorId !== undefined}
          aria-errormessage={errorId}
          aria-describedby={descriptions.filter(Boolean).join(" ") || undefined}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
          onPaste={paste}
        />
      )}
      <div class="live" aria-live="polite">
        {isWarning && (
          <p class="warning" id={warningId}>
            It holds{" "}
            {hidden.count === 1
              ? "1 character that a field does not show as it is"
              : `${hidden.count.toLocaleString("en")} characters that a field does not show as they are`}
            : {hidden.named}.
          </p>
        )}
      </div>
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
