import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import { hiddenCharacters } from "../model/visible.ts";
import { CopyButton } from "./copy-button.tsx";
import { Data } from "./data.tsx";

/** A longer text would make a text field slow, so it is kept, but not shown in one. */
const LONGEST_EDITED = 20_000;

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly hint?: ComponentChildren;
  /** The id of the element that says why the text is not valid; left out when it is valid. */
  readonly errorId?: string | undefined;
  /** Whether the text is one value rather than lines. */
  readonly isWrapped?: boolean;
}

/** A field for text of any length. */
export function TextBox(props: TextBoxProps): VNode {
  const { label, value, onChange, rows = 3, hint, errorId, isWrapped = false } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const warningId = `${id}-warning`;
  const isLong = value.length > LONGEST_EDITED;
  // Line endings are visible in a field.
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
            {value.length.toLocaleString("en")} characters. The whole text is used, but it is too
            long to be shown and edited here.
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
            This text has{" "}
            {hidden.count === 1
              ? "1 character that is not visible here"
              : `${hidden.count.toLocaleString("en")} characters that are not visible here`}
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
