import {
  URN_PART_LABELS,
  type UrnComparison,
  type UrnExplanation,
  type UrnPartName,
} from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import type { FoundUrn } from "@x/urn";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement, Answered } from "../../components/answered.tsx";
import { CopyButton } from "../../components/buttons.tsx";
import { Checkbox, Select } from "../../components/controls.tsx";
import { Data, Difference, Shortened } from "../../components/data.tsx";
import { type Example, Examples, Panel } from "../../components/panels.tsx";
import { Problem } from "../../components/problem.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { ExplainedUrns } from "../../model/explain-urns.ts";
import type { Values } from "../../model/screens.ts";
import type { ShownOfMany } from "../../model/visible.ts";

/** Pairs of URNs: examples from the specifications, and others. */
const EXAMPLES: readonly Example<{ readonly u: string; readonly v: string }>[] = [
  {
    label: "ISBN, with and without hyphens",
    value: { u: "URN:ISBN:0-395-36341-1", v: "urn:isbn:0395363411" },
  },
  {
    label: "An escape is not its character (RFC 2141 §5)",
    value: { u: "urn:foo:a123%2C456", v: "urn:foo:a123,456" },
  },
  {
    label: "Components (RFC 8141)",
    value: {
      u: "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk?=op=map&lat=34.47#somepart",
      v: "urn:example:foo-bar-baz-qux",
    },
  },
  {
    label: "A wrong check digit",
    value: { u: "urn:isbn:0-395-36341-2", v: "urn:isbn:0-395-36341-1" },
  },
  { label: "Not URNs", value: { u: "urn:-a:b c", v: "urn:example:a%zz" } },
];

const SYNTAXES = [
  ["rfc8141", "RFC 8141 (2017): for new names"],
  ["rfc2141", "RFC 2141 (1997): if older software must read them"],
] as const;

interface UrnScreenProps {
  readonly values: Values<"urn">;
  readonly set: SetValues<"urn">;
}

/** URNs: their parts, whether two are the same, and where they are in a text. */
export function UrnScreen({ values, set }: UrnScreenProps): VNode {
  const { u, v, text, syntax, trim } = values;
  const asked = useMemo(() => ({ u, v, text, syntax, trim }), [u, v, text, syntax, trim]);
  const answering = useAnswer("explainUrns", asked);
  const field = fieldsOf(values, set);
  return (
    <>
      <Examples examples={EXAMPLES} onChoose={set} />
      <div class="columns">
        <TextBox label="URN" {...field("u")} rows={2} isWrapped />
        <TextBox label="Compare it with" {...field("v")} rows={2} isWrapped />
      </div>
      <div class="row controls">
        <Select label="Syntax" {...field("syntax")} options={SYNTAXES} />
      </div>
      <Answered answering={answering}>
        {({ explained, comparison }, { u, v }) => (
          <div class="columns">
            <Panel title="Its parts">
              {u === "" ? (
                <p class="muted">No URN yet.</p>
              ) : "error" in explained ? (
                <>
                  <p class="tag error">not a URN</p>
                  <Problem error={explained.error} input={u} />
                </>
              ) : (
                <Explained text={u} explained={explained} />
              )}
            </Panel>
            <Panel title="Are they the same name?">
              {u === "" || v === "" ? (
                <p class="muted">Type two URNs to compare them.</p>
              ) : (
                <Comparison comparison={comparison} second={v} />
              )}
            </Panel>
          </div>
        )}
      </Answered>
      <Panel title="URNs in a text">
        <TextBox label="A text" {...field("text")} rows={4} isWrapped />
        <Checkbox label="Leave out punctuation at the end of a URN" {...field("trim")} />
        <Answered answering={answering}>
          {({ found }, { text }) => (
            <>
              <Announcement text={countOf(found)} />
              <p class="found-count">{countOf(found)}</p>
              {text !== "" && <Marked text={text} found={found} />}
            </>
          )}
        </Answered>
      </Panel>
    </>
  );
}

const LIMIT = 400;

/** A URN with its parts in colours, a table of their places, its normal form, and notes. */
function Explained(props: { readonly text: string; readonly explained: UrnExplanation }): VNode {
  const { text, explained } = props;
  const { nid, normalized, readable, notes, offsets } = explained;
  const found = (Object.keys(offsets) as UrnPartName[]).flatMap((name) => {
    const span = offsets[name];
    return span === null ? [] : [{ label: URN_PART_LABELS[name], start: span[0], end: span[1] }];
  });
  const parts = [{ label: "scheme", start: 0, end: "urn".length }, ...found];
  return (
    <>
      <p class="data big" dir="ltr">
        {parts.map(({ label, start, end }, i) => (
          <span key={label}>
            {text.slice(parts[i - 1]?.end ?? 0, start)}
            <span class={`part ${label.toLowerCase()}`}>
              <Shortened text={text.slice(start, end)} limit={LIMIT} />
            </span>
          </span>
        ))}
      </p>
      <table class="offsets">
        <thead>
          <tr>
            {["Part", "From", "To", "Text"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ label, start, end }) => (
            <tr key={label}>
              <th scope="row">
                <span class={`part ${label.toLowerCase()}`}>{label}</span>
              </th>
              <td>{start}</td>
              <td>{end}</td>
              <td>
                {start === end ? (
                  <span class="muted">empty</span>
                ) : (
                  <Data text={text.slice(start, end)} limit={120} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="stack facts">
        <dt>Normal form</dt>
        <dd>
          <Difference before={text} after={normalized} />{" "}
          <CopyButton text={() => normalized} what="the normal form" />
        </dd>
        <dt>For people to read</dt>
        <dd>
          {readable === normalized ? (
            <span class="muted">the same as the normal form</span>
          ) : (
            <Data text={readable} limit={LIMIT} />
          )}
        </dd>
        <dt>Notes</dt>
        <dd>
          {notes.length === 0 ? (
            <span class="muted">no known rule of “{nid.toLowerCase()}” is broken</span>
          ) : (
            notes.map((note) => (
              <p key={note} class="warning">
                {printable(note)}
              </p>
            ))
          )}
        </dd>
      </dl>
    </>
  );
}

const VERDICTS: Readonly<Record<UrnComparison["verdict"], readonly [kind: string, title: string]>> =
  {
    equal: ["match", "Equivalent"],
    "equal-in-namespace": ["match", "Equivalent"],
    different: ["different", "Not equivalent"],
    unknown: ["error", "Cannot be compared"],
  };

interface ComparisonProps extends Pick<ExplainedUrns, "comparison"> {
  readonly second: string;
}

function Comparison({ comparison, second }: ComparisonProps): VNode {
  const { verdict, rule, compared, urns } = comparison;
  const [kind, title] = VERDICTS[verdict];
  const [, refused] = urns;
  return (
    <>
      <Announcement text={`${title}. ${printable(rule)}`} />
      <p>
        <strong class={`tag ${kind}`}>{title}</strong> {printable(rule)}
      </p>
      {compared !== null && (
        <p>
          <span class="muted">Compared as </span>
          {compared[0] === compared[1] ? (
            <Data text={compared[0]} limit={300} />
          ) : (
            <Difference before={compared[0]} after={compared[1]} />
          )}
        </p>
      )}
      {"error" in refused && (
        <>
          <p>What is wrong with the second one:</p>
          <Problem error={refused.error} input={second} />
        </>
      )}
    </>
  );
}

function countOf({ shown, total }: ShownOfMany<FoundUrn>): string {
  const found = `${counted(total, "URN", "URNs")} found.`;
  return total > shown.length ? `${found} The first ${shown.length} are marked.` : found;
}

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
          <Shortened text={between(shown[i - 1]?.end ?? 0, start)} limit={LIMIT} keepsLineEnds />
          <mark>
            <Data text={text.slice(start, end)} limit={300} />
          </mark>
        </span>
      ))}
      <Shortened text={between(last)} limit={LIMIT} keepsLineEnds />
    </section>
  );
}
