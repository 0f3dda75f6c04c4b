import { type FoundUrn, findUrns, type UrnSyntax } from "@x/urn";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Data, Shortened, Visible } from "../../components/data.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import type { Values } from "../../model/screens.ts";
import type { SetValue } from "../../use-linked-state.ts";
import { useSettled } from "../../use-settled.ts";

const SYNTAXES = [
  ["rfc2141", "RFC 2141"],
  ["rfc8141", "RFC 8141"],
] as const;

const MOST_MARKED = 300;
const BETWEEN = 400;

interface MarkedProps {
  readonly text: string;
  readonly found: readonly FoundUrn[];
}

/** The text with the URNs in it marked; line ends stay what they are. */
function Marked({ text, found }: MarkedProps): VNode {
  const shown = found.slice(0, MOST_MARKED);
  const last = shown.at(-1)?.end ?? 0;
  return (
    <div class="running-text" dir="ltr">
      {shown.map(({ start, end }, i) => (
        <span key={start}>
          <Shortened text={text.slice(shown[i - 1]?.end ?? 0, start)} limit={BETWEEN} as={Lines} />
          <mark>
            <Data text={text.slice(start, end)} limit={300} />
          </mark>
        </span>
      ))}
      <Shortened text={text.slice(last)} limit={BETWEEN} as={Lines} />
    </div>
  );
}

function Lines({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(/\r?\n/).map((line, i) => (
        <>
          {i > 0 && <br />}
          <Visible text={line} />
        </>
      ))}
    </>
  );
}

interface FoundPanelProps {
  readonly values: Values<"urn">;
  readonly set: SetValue<"urn">;
}

/** URNs in running text. */
export function FoundPanel({ values, set }: FoundPanelProps): VNode {
  const text = useSettled(values.text);
  const { trim, syntax } = values;
  const found = useMemo(
    () => findUrns(text, { syntax: syntax as UrnSyntax, trimPunctuation: trim }),
    [text, trim, syntax],
  );
  return (
    <Panel title="URNs in a text">
      <TextBox
        label="A text"
        value={values.text}
        rows={4}
        isWrapped
        onChange={(value) => set("text", value)}
      />
      <div class="controls">
        <Select
          label="Syntax"
          value={syntax}
          options={SYNTAXES}
          onChange={(value) => set("syntax", value)}
        />
        <Checkbox
          label="Leave out the sentence’s punctuation"
          value={trim}
          onChange={(value) => set("trim", value)}
        />
      </div>
      <p role="status">
        {found.length.toLocaleString("en")} {found.length === 1 ? "URN" : "URNs"} found.
        {found.length > MOST_MARKED && ` The first ${MOST_MARKED} are marked.`}
      </p>
      {text !== "" && <Marked text={text} found={found} />}
    </Panel>
  );
}
