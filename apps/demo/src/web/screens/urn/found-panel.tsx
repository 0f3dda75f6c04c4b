import { counted } from "@x/explain/counted";
import type { FoundUrn } from "@x/urn";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/announcement.tsx";
import { Answered } from "../../components/answered.tsx";
import { Data, Shortened } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { TextWithUrns } from "../../model/find-urns-in.ts";
import type { Values } from "../../model/screens.ts";
import type { ShownOfMany } from "../../model/shown-of-many.ts";

const SYNTAXES = [
  ["rfc2141", "RFC 2141"],
  ["rfc8141", "RFC 8141"],
] as const;

const BETWEEN = 400;

interface MarkedProps {
  readonly text: string;
  readonly found: ShownOfMany<FoundUrn>;
}

/** The text with its URNs marked. Line endings are kept. */
function Marked({ text, found: { shown } }: MarkedProps): VNode {
  const last = shown.at(-1)?.end ?? 0;
  // CR LF is one line end. Without this replacement, the CR would be spelled out.
  const between = (from: number, to?: number): string =>
    text.slice(from, to).replaceAll("\r\n", "\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <section class="box running-text" dir="ltr" aria-label="The text with URNs marked" tabIndex={0}>
      {shown.map(({ start, end }, i) => (
        <span key={start}>
          <Shortened text={between(shown[i - 1]?.end ?? 0, start)} limit={BETWEEN} keepsLineEnds />
          <mark>
            <Data text={text.slice(start, end)} limit={300} />
          </mark>
        </span>
      ))}
      <Shortened text={between(last)} limit={BETWEEN} keepsLineEnds />
    </section>
  );
}

interface FoundPanelProps {
  readonly values: Values<"urn">;
  readonly set: SetValues<"urn">;
}

/** URNs in running text. */
export function FoundPanel({ values, set }: FoundPanelProps): VNode {
  const { text, trim, syntax } = values;
  const asked = useMemo((): TextWithUrns => ({ text, trim, syntax }), [text, trim, syntax]);
  const answering = useAnswer("findUrnsIn", asked);
  const field = fieldsOf(values, set);
  return (
    <Panel title="URNs in a text">
      <TextBox label="A text" {...field("text")} rows={4} isWrapped />
      <div class="row controls">
        <Select label="Syntax" {...field("syntax")} options={SYNTAXES} />
        <Checkbox label="Leave out punctuation at the end of a URN" {...field("trim")} />
      </div>
      <Answered answering={answering}>
        {(found, { text: searched }) => (
          <>
            <Announcement text={countOf(found)} />
            <p class="found-count">{countOf(found)}</p>
            {searched !== "" && <Marked text={searched} found={found} />}
          </>
        )}
      </Answered>
    </Panel>
  );
}

function countOf({ shown, total }: ShownOfMany<FoundUrn>): string {
  const found = `${counted(total, "URN", "URNs")} found.`;
  return total > shown.length ? `${found} The first ${shown.length} are marked.` : found;
}
