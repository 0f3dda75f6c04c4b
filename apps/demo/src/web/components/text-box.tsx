import { counted } from "@x/explain/counted";
import type { RefObject, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { pendingUntil } from "../hooks/use-pending.ts";
import { hiddenCharacters } from "../model/visible.ts";
import { ask } from "../worker-client.ts";
import { Shortened } from "./data.tsx";

/** The length of the longest text that is shown in a field. A longer text would make the field slow. */
const LONGEST_EDITED = 20_000;

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  /** The id of the element that says why the text is not valid; left out when it is valid. */
  readonly errorId?: string | undefined;
  readonly isWrapped?: boolean;
  /** Called when a file is pasted, such as a picture of a screen, or HTML with links that its plain text lacks. */
  readonly onFile?: (file: File) => void;
  /** Called when Enter is pressed in a text of one line. Without it, Enter adds a line, as Shift and Enter always do. */
  readonly onEnter?: () => void;
}

interface LongTextProps {
  readonly labelId: string;
  readonly value: string;
  readonly summary: RefObject<HTMLElement>;
}

/** The beginning and the end of a text that is too long for a field. */
function LongText({ labelId, value, summary }: LongTextProps): VNode {
  return (
    <section class="box long-text" ref={summary} aria-labelledby={labelId} tabIndex={-1}>
      <p class="muted">
        {value.length.toLocaleString("en")} characters. The whole text is used, but it is too long
        to be shown and edited here.
      </p>
      <p class="data">
        <Shortened text={value} limit={160} keepsLineEnds />
      </p>
    </section>
  );
}

interface HiddenCharactersProps {
  readonly id: string;
  readonly hidden: ReturnType<typeof hiddenCharacters> | null;
}

/** Names the invisible characters of a text, if it has any. */
function HiddenCharacters({ id, hidden }: HiddenCharactersProps): VNode {
  return (
    <div class="live" aria-live="polite">
      {hidden !== null && hidden.count > 0 && (
        <p class="warning" id={id}>
          This text has{" "}
          {counted(
            hidden.count,
            "character that is not visible here",
            "characters that are not visible here",
          )}
          : {hidden.named}.
        </p>
      )}
    </div>
  );
}

export function TextBox(props: TextBoxProps): VNode {
  const { label, value, onChange, rows = 3, placeholder, errorId } = props;
  const { isWrapped = false, onFile, onEnter } = props;
  const id = useId();
  const warningId = `${id}-warning`;
  // While the user types, the text stays in a field, however long it becomes.
  const typed = useRef<string | null>(null);
  const isLong = value.length > LONGEST_EDITED && value !== typed.current;
  // Tabs and line ends are visible in a field, so they are not hidden characters.
  const hidden = isLong ? null : hiddenCharacters(value.replace(/[\t\r\n]/g, ""));
  const isWarning = hidden !== null && hidden.count > 0;
  // Not every screen reader supports aria-errormessage, so the field is described by the error as well.
  const descriptions = [errorId, isWarning && warningId];

  const field = useRef<HTMLTextAreaElement>(null);
  const summary = useRef<HTMLElement>(null);
  const takesFocus = useRef(false);
  // The button or the field that had the focus may not be on the page any more.
  useLayoutEffect(() => {
    if (takesFocus.current) (field.current ?? summary.current)?.focus();
    takesFocus.current = false;
  }, [value]);
  const change = (text: string): void => {
    takesFocus.current = true;
    onChange(text);
  };

  const insert = (pasted: string): void => {
    if (field.current === null) {
      onChange(pasted);
      return;
    }
    const { value, selectionStart, selectionEnd } = field.current;
    const whole = value.slice(0, selectionStart) + pasted + value.slice(selectionEnd);
    field.current.focus();
    // The user can undo an insertion by `execCommand`, but not a change of the value.
    const isLong = whole.length > LONGEST_EDITED;
    if (isLong || !document.execCommand("insertText", false, pasted)) change(whole);
  };
  const paste = (event: ClipboardEvent): void => {
    const plain = event.clipboardData?.getData("text/plain") ?? "";
    const html = event.clipboardData?.getData("text/html") ?? "";
    const [file] = event.clipboardData?.files ?? [];
    const isRich = onFile !== undefined && html !== "";
    if (plain === "" && file !== undefined && onFile !== undefined) {
      event.preventDefault();
      onFile(file);
    } else if (isRich || value.length + plain.length > LONGEST_EDITED) {
      event.preventDefault();
      const take = (isFile: boolean): void => {
        if (isFile) onFile?.(new File([html], "pasted text"));
        else insert(plain);
      };
      if (!isRich) insert(plain);
      else {
        const asked = ask("hasHiddenLinks", { html, plain });
        void pendingUntil(asked.then(take, () => take(false)));
      }
    }
  };

  return (
    <div class="stack field">
      {isLong ? (
        <span class="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label for={id}>{label}</label>
      )}
      {isLong ? (
        <LongText labelId={`${id}-label`} value={value} summary={summary} />
      ) : (
        <textarea
          id={id}
          ref={field}
          class={isWrapped ? "data wrapped" : "data"}
          dir="ltr"
          rows={rows}
          placeholder={placeholder}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-invalid={errorId !== undefined}
          aria-errormessage={errorId}
          aria-describedby={descriptions.filter(Boolean).join(" ") || undefined}
          value={value}
          onInput={(event) => {
            typed.current = event.currentTarget.value;
            onChange(event.currentTarget.value);
          }}
          onPaste={paste}
          enterkeyhint={onEnter && "go"}
          onKeyDown={(event) => {
            const isPlain = event.key === "Enter" && !event.shiftKey && !event.isComposing;
            if (!isPlain || onEnter === undefined || value.includes("\n")) return;
            event.preventDefault();
            onEnter();
          }}
        />
      )}
      {/* The button is beside the label, but comes after the field in the order of tab stops. */}
      {value !== "" && (
        <span class="field-actions">
          <button type="button" class="quiet" onClick={() => change("")}>
            Clear<span class="hidden"> {label}</span>
          </button>
        </span>
      )}
      <HiddenCharacters id={warningId} hidden={hidden} />
    </div>
  );
}
