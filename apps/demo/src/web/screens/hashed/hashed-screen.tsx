import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { printable } from "../../../text/printable.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { type Matching, match, type Outcome, publish } from "../../model/hash-lines.ts";
import type { Values } from "../../model/screens.ts";
import type { SetValue } from "../../use-linked-state.ts";
import { useSettled } from "../../use-settled.ts";
import { HASHED_EXAMPLES } from "./examples.ts";

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValue<"hashed">;
}

const ALGORITHMS = [
  ["sha1", "sha1 (MUST)"],
  ["md5", "md5 (SHOULD)"],
  ["x-sha256", "x-sha256 (private use)"],
] as const;

const VARIANTS = [
  ["N", "N: hardly ever equates what differs"],
  ["P", "P: equates more"],
] as const;

/** What is laid out; the rest is in the copy. */
const MOST_ROWS = 500;

function Trouble({
  outcome: { line, error },
}: {
  readonly outcome: Outcome<unknown>;
}): VNode | null {
  return error === null ? null : (
    <p class="warning">
      Line {line}: <code>{error.code}</code> {printable(error.message)}
    </p>
  );
}

interface PublishedProps {
  readonly published: readonly Outcome<string>[];
  readonly matching: Matching;
}

function Published({ published, matching: { entries, refused } }: PublishedProps): VNode {
  const hits = entries.slice(0, MOST_ROWS);
  return (
    <Panel
      title="Published list"
      lead="All that a reader of the list gets to see."
      actions={
        <CopyButton
          text={() => entries.map(({ text }) => `${text}\n`).join("")}
          what="the published list"
        />
      }
    >
      {published.map((outcome) => (
        <Trouble key={outcome.line} outcome={outcome} />
      ))}
      <ol class="entries published" aria-label="Published hashed URIs">
        {hits.map(({ text, unusable }, i) => (
          <li key={i} class={`entry-row ${unusable === null ? "" : "unusable"}`}>
            <span class="number">#{i + 1}</span>
            <span>
              <code class="hash whole">{text}</code>
              {unusable !== null && <em class="warning">never matches: {unusable}</em>}
            </span>
          </li>
        ))}
      </ol>
      {entries.length > hits.length && (
        <p class="muted">
          and {(entries.length - hits.length).toLocaleString("en")} more, in the copy
        </p>
      )}
      {refused.map((outcome) => (
        <Trouble key={outcome.line} outcome={outcome} />
      ))}
    </Panel>
  );
}

function Candidates({ matching: { candidates } }: { readonly matching: Matching }): VNode {
  const found = candidates.filter(({ value }) => value !== null && value.index !== null).length;
  return (
    <Panel
      title="Matches"
      lead={
        <span role="status">
          {found} of {candidates.length} {candidates.length === 1 ? "candidate" : "candidates"} on
          the list.
        </span>
      }
    >
      <ol class="entries matches" aria-label="Candidates and what they match">
        {candidates.slice(0, MOST_ROWS).map(({ line, text, value, error }) => (
          <li key={line} class="entry-row">
            {error !== null ? (
              <span class="tag error">no URI</span>
            ) : value.index === null ? (
              <span class="tag none">no match</span>
            ) : (
              <span class="tag match">is #{value.index + 1}</span>
            )}
            <span>
              <Data text={text} limit={300} />
              {error !== null && (
                <em class="warning">
                  {error.code}: {printable(error.message)}
                </em>
              )}
            </span>
          </li>
        ))}
      </ol>
      {candidates.length > MOST_ROWS && (
        <p class="muted">and {(candidates.length - MOST_ROWS).toLocaleString("en")} more</p>
      )}
    </Panel>
  );
}

/** A publisher's list of hashed URIs, and a reader's candidates, side by side. */
export function HashedScreen({ values, set }: HashedScreenProps): VNode {
  const { alg, variant, frag, query } = values;
  const uris = useSettled(values.u);
  const more = useSettled(values.more);
  const candidates = useSettled(values.c);
  const published = useMemo(
    () => publish(uris, { algorithm: alg, variant, keepFragment: frag, keepQuery: query }),
    [uris, alg, variant, frag, query],
  );
  const matching = useMemo(
    () => match(published, more, candidates, variant),
    [published, more, candidates, variant],
  );
  const choose = (chosen: Partial<Values<"hashed">>): void => {
    for (const [key, value] of Object.entries(chosen)) {
      set(key as keyof Values<"hashed">, value as never);
    }
  };
  return (
    <>
      <p class="intro">
        A publisher hashes URIs and hands out the list; a reader finds out which of their own URIs
        are on it, and learns nothing of the others.
      </p>
      <Examples examples={HASHED_EXAMPLES} onChoose={choose} />
      <div class="columns">
        <div class="column">
          <Panel title="Publisher">
            <TextBox
              label="URIs to publish, one a line"
              value={values.u}
              rows={5}
              onChange={(value) => set("u", value)}
            />
            <div class="controls">
              <Select
                label="Algorithm"
                value={alg}
                options={ALGORITHMS}
                onChange={(value) => set("alg", value)}
              />
              <Select
                label="Variant"
                value={variant}
                options={VARIANTS}
                onChange={(value) => set("variant", value)}
              />
              <Checkbox
                label="Keep the fragment (+frag)"
                value={frag}
                onChange={(value) => set("frag", value)}
              />
              <Checkbox
                label="Keep the query (+query)"
                value={query}
                onChange={(value) => set("query", value)}
              />
            </div>
          </Panel>
          <Published published={published} matching={matching} />
        </div>
        <div class="column">
          <Panel title="Reader">
            <TextBox
              label="Candidates, one a line"
              value={values.c}
              rows={5}
              onChange={(value) => set("c", value)}
            />
            <TextBox
              label="More hashed URIs to match against, one a line"
              value={values.more}
              rows={2}
              onChange={(value) => set("more", value)}
              hint="From elsewhere; the variant must be the one they were made with."
            />
          </Panel>
          <Candidates matching={matching} />
        </div>
      </div>
    </>
  );
}
