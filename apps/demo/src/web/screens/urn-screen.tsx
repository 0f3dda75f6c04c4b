import {
  URN_PART_LABELS,
  type UrnComparison,
  type UrnExplanation,
  type UrnPartName,
} from "@x/explain";
import { printable } from "@x/explain/printable";
import { Fragment, type VNode } from "preact";
import { Announcement, Answered } from "../components/answered.tsx";
import { CopyButton } from "../components/buttons.tsx";
import { Data, Difference, Shortened } from "../components/data.tsx";
import { type Example, Examples, Panel } from "../components/panels.tsx";
import { Problem } from "../components/problem.tsx";
import { TextBox } from "../components/text-box.tsx";
import { useAnswer } from "../hooks/use-answer.ts";
import type { SetValues } from "../hooks/use-linked-state.ts";
import type { Values } from "../model/screens.ts";

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

interface UrnScreenProps {
  readonly values: Values<"urn">;
  readonly set: SetValues<"urn">;
}

/** The parts of a URN, and whether it is the same name as another one. */
export function UrnScreen({ values, set }: UrnScreenProps): VNode {
  const answering = useAnswer("explainUrns", values);
  return (
    <>
      <Examples examples={EXAMPLES} onChoose={set} />
      <div class="columns">
        <TextBox label="URN" value={values.u} onChange={(u) => set({ u })} rows={2} isWrapped />
        <TextBox
          label="Compare it with"
          value={values.v}
          onChange={(v) => set({ v })}
          rows={2}
          isWrapped
        />
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
    </>
  );
}

const LIMIT = 400;

/** A URN with its parts in colours, their names, its normal form, and notes. */
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
      <dl class="stack facts">
        {found.map(({ label, start, end }) => (
          <Fragment key={label}>
            <dt>
              <span class={`part ${label.toLowerCase()}`}>{label}</span>
            </dt>
            <dd>
              {start === end ? (
                <span class="muted">empty</span>
              ) : (
                <Data text={text.slice(start, end)} limit={120} />
              )}
            </dd>
          </Fragment>
        ))}
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

interface ComparisonProps {
  readonly comparison: UrnComparison;
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
