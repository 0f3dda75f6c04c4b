import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Answered } from "../../components/answered.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import type { SetValue } from "../../hooks/use-linked-state.ts";
import type { HashedLines } from "../../model/match-hashed.ts";
import type { Values } from "../../model/screens.ts";
import type { WorkerClient } from "../../worker-client.ts";
import { ElsewherePanel } from "./elsewhere-panel.tsx";
import { HASHED_EXAMPLES } from "./examples.ts";
import { MatchesPanel } from "./matches-panel.tsx";
import { PublishedPanel } from "./published-panel.tsx";

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValue<"hashed">;
  readonly worker: WorkerClient;
}

const ALGORITHMS = [
  ["sha1", "sha1: all readers know it"],
  ["md5", "md5: most readers know it"],
  ["x-sha256", "x-sha256: for private use"],
] as const;

const VARIANTS = [
  ["N", "N: treats few URIs as equal"],
  ["P", "P: treats more URIs as equal"],
] as const;

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
        A publisher hashes URIs and publishes only the hashes. Readers check which of their own URIs
        are on the list. They do not see the other URIs, but hashes of guessable URIs can be
        guessed.
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
            {(matching) => <PublishedPanel matching={matching} />}
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
              hint="Hashed URIs from elsewhere. A comment line such as “# hashed-uri variant: P” sets the variant; without one, the publisher’s variant is used."
            />
          </Panel>
          <Answered answering={answering}>
            {(matching) => (
              <>
                <MatchesPanel matching={matching} />
                <ElsewherePanel matching={matching} />
              </>
            )}
          </Answered>
        </div>
      </div>
    </>
  );
}
