import type { VNode } from "preact";
import { ROW_LABELS, ROW_VERDICTS, type RowVerdict } from "../../model/row.ts";
import { VERDICT_CLASSES } from "../../model/verdict-classes.ts";

interface VerdictBarProps {
  readonly counts: Readonly<Record<RowVerdict, number>>;
  readonly shown: RowVerdict | "all";
  readonly onShow: (shown: RowVerdict | "all") => void;
}

/**
 * A bar with one part for each verdict. The length of a part shows the number of rows with its verdict. Pressing a part
 * shows only these rows.
 */
export function VerdictBar({ counts, shown, onShow }: VerdictBarProps): VNode {
  return (
    <fieldset class="row verdict-bar">
      <legend class="hidden">Show only</legend>
      {ROW_VERDICTS.map((verdict) => (
        <button
          key={verdict}
          type="button"
          class={VERDICT_CLASSES[verdict]}
          aria-pressed={shown === verdict}
          style={{ flexGrow: counts[verdict] }}
          onClick={() => onShow(shown === verdict ? "all" : verdict)}
        >
          <strong>{counts[verdict].toLocaleString("en")}</strong> {ROW_LABELS[verdict]}
        </button>
      ))}
    </fieldset>
  );
}
