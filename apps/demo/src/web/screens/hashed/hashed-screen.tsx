import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Answered } from "../../components/answered.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Data } from "../../components/data.tsx";
import { Examples } from "../../components/examples.tsx";
import { More } from "../../components/more.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import type { SetValue } from "../../hooks/use-linked-state.ts";
import type {
  ExactSpelling,
  HashedLines,
  HashedMatching,
  RefusedLine,
} from "../../model/match-hashed.ts";
import type { Values } from "../../model/screens.ts";
import type { ShownOfMany } from "../../model/shown-of-many.ts";
import type { WorkerClient } from "../../worker-client.ts";
import { HASHED_EXAMPLES } from "./examples.ts";

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValue<"hashed">;
  readonly worker: WorkerClient;
}

const ALGORITHMS = [
  ["sha1", "sha1 (MUST)"],
  ["md5", "md5 (SHOULD)"],
  ["x-sha256", "x-sha256 (private use)"],
] as const;

const VARIANTS = [
  ["N", "N: treats few URIs as equal"],
  ["P", "P: treats more URIs as equal"],
] as const;

interface RefusedLinesProps {
  /** The name of the field that the lines are from. */
  readonly of: string;
  readonly lines: ShownOfMany<RefusedLine>;
}

function RefusedLines({ of, lines }: RefusedLinesProps): VNode {
  return (
    <>
      {lines.shown.map(({ line, code, message }) => (
        <p key={line} class="warning">
          {of}, line {line}: <code>{code}</code> {printable(message)}
        </p>
      ))}
      <More of={lines} where=" like these" />
    </>
  );
}

/** URIs that match only as they are spelled. */
function ExactSpellings({
  spellings,
}: {
  readonly spellings: ShownOfMany<ExactSpelling>;
}): VNode | null {
  if (spellings.total === 0) return null;
  return (
    <div class="warning">
      <p>
        <strong>
          {spellings.total === 1
            ? "This URI matches"
            : `${spellings.total.toLocaleString("en")} URIs match`}{" "}
          only the exact spelling.
        </strong>{" "}
        Browsers write the slash at the end, other programs may not. Publish both spellings.
      </p>
      <ul>
        {spellings.shown.map(({ line, uri, other }) => (
          <li key={line}>
            Line {line}: <Data text={uri} limit={100} /> does not match{" "}
            <Data text={other} limit={100} />
          </li>
        ))}
      </ul>
      <More of={spellings} where=" like these" />
    </div>
  );
}

function Published({ matching }: { readonly matching: HashedMatching }): VNode {
  const { entries, refusedUris, refusedMore, exactSpellings, header } = matching;
  return (
    <Panel
      title="Published list"
      lead="This is all that a reader of the list sees. Hashes of guessable URIs can be guessed: anyone can hash a URI and look it up here."
      actions={<CopyButton text={() => matching.list} what="the published list" />}
    >
      <RefusedLines of="URIs to publish" lines={refusedUris} />
      <ExactSpellings spellings={exactSpellings} />
      <ol class="entries published" aria-label="Published hashed URIs">
        {entries.shown.map(({ text, unusable }, i) => (
          <li key={i} class={`entry-row ${unusable === null ? "" : "unusable"}`}>
            <span class="number">#{i + 1}</span>
            <span>
              <code class="hash whole">{text}</code>
              {unusable !== null && <em class="warning">never matches: {unusable}</em>}
            </span>
          </li>
        ))}
      </ol>
      <More of={entries} />
      <RefusedLines of="More hashed URIs" lines={refusedMore} />
      {header.variant !== undefined && (
        <p class="muted">
          More hashed URIs: their list says that it was made with variant {header.variant}.
        </p>
      )}
    </Panel>
  );
}

function Candidates({ matching }: { readonly matching: HashedMatching }): VNode {
  const { candidates, matches } = matching;
  return (
    <Panel
      title="Matches"
      lead={
        <span role="status">
          {matches.toLocaleString("en")} of {candidates.total.toLocaleString("en")}{" "}
          {candidates.total === 1 ? "candidate" : "candidates"} on the list.
        </span>
      }
    >
      <ol class="entries matches" aria-label="Candidates and what they match">
        {candidates.shown.map(({ line, text, index, error }) => (
          <li key={line} class="entry-row">
            {error !== null ? (
              <span class="tag error">not a URI</span>
            ) : index === null ? (
              <span class="tag none">no match</span>
            ) : (
              <span class="tag match">is #{index + 1}</span>
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
      <More of={candidates} />
    </Panel>
  );
}

/** A publisher's list of hashed URIs and a reader's candidates, side by side. */
export function HashedScreen({ values, set, worker }: HashedScreenProps): VNode {
  const { u, more, c, alg, variant, frag, query, both } = values;
  const asked = useMemo(
    (): HashedLines => ({
      uris: u,
      more,
      candidates: c,
      options: { algorithm: alg, variant, keepFragment: frag, keepQuery: query },
      bothSpellings: both,
    }),
    [u, more, c, alg, variant, frag, query, both],
  );
  const answering = useAnswer(worker, "match-hashed", asked);
  const choose = (chosen: Partial<Values<"hashed">>): void => {
    for (const [key, value] of Object.entries(chosen)) {
      set(key as keyof Values<"hashed">, value as never);
    }
  };
  return (
    <>
      <p class="intro">
        A publisher hashes URIs and publishes the list of hashes. A reader checks which of their own
        URIs are on the list. The list does not show the other URIs, but hashes of guessable URIs
        can be guessed.
      </p>
      <Examples examples={HASHED_EXAMPLES} onChoose={choose} />
      <div class="columns">
        <div class="column">
          <Panel title="Publisher">
            <TextBox
              label="URIs to publish, one per line"
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
              <Checkbox
                label="Publish both spellings (with and without the last slash)"
                value={both}
                onChange={(value) => set("both", value)}
              />
            </div>
          </Panel>
          <Answered answering={answering}>
            {(matching) => <Published matching={matching} />}
          </Answered>
        </div>
        <div class="column">
          <Panel title="Reader">
            <TextBox
              label="Candidates, one per line"
              value={values.c}
              rows={5}
              onChange={(value) => set("c", value)}
            />
            <TextBox
              label="More hashed URIs to match against, one per line"
              value={values.more}
              rows={2}
              onChange={(value) => set("more", value)}
              hint="Hashed URIs from elsewhere. Comment lines such as “# hashed-uri variant: P” are followed; without them, choose the variant that they were made with."
            />
          </Panel>
          <Answered answering={answering}>
            {(matching) => <Candidates matching={matching} />}
          </Answered>
        </div>
      </div>
    </>
  );
}
