import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Answered } from "../../components/answered.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Checkbox, Select } from "../../components/select.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { HashedLines } from "../../model/match-hashed.ts";
import type { Values } from "../../model/screens.ts";
import { ElsewherePanel } from "./elsewhere-panel.tsx";
import { HASHED_EXAMPLES } from "./examples.ts";
import { MatchesPanel } from "./matches-panel.tsx";
import { PublishedPanel } from "./published-panel.tsx";

interface HashedScreenProps {
  readonly values: Values<"hashed">;
  readonly set: SetValues<"hashed">;
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
export function HashedScreen({ values, set }: HashedScreenProps): VNode {
  const { u, more, c, alg, variant, frag, query, both } = values;
  const asked = useMemo(
    (): HashedLines => ({
      uris: u,
      more,
      candidates: c,
      options: { algorithm: alg, variant, keepFragment: frag, keepQuery: query || undefined },
      bothSpellings: both,
    }),
    [u, more, c, alg, variant, frag, query, both],
  );
  const answering = useAnswer("matchHashed", asked);
  const field = fieldsOf(values, set);
  return (
    <>
      <p class="intro">
        A publisher hashes URIs and publishes only the hashes. Readers check which of their own URIs
        are on the list. They do not see the other URIs, but anyone who guesses a URI can check
        whether it is on the list.
      </p>
      <Examples examples={HASHED_EXAMPLES} onChoose={set} />
      <div class="columns">
        <div class="stack column">
          <Panel title="Publisher">
            <TextBox label="URIs to publish, one per line" {...field("u")} rows={5} />
            <div class="row controls">
              <Select label="Algorithm" {...field("alg")} options={ALGORITHMS} />
              <Select label="Variant" {...field("variant")} options={VARIANTS} />
              <Checkbox label="Keep the fragment (+frag)" {...field("frag")} />
              <Checkbox label="Keep the query (+query)" {...field("query")} />
              <Checkbox
                label="Publish both spellings (with and without the last slash)"
                {...field("both")}
              />
            </div>
          </Panel>
          <Answered answering={answering}>
            {(matching) => <PublishedPanel matching={matching} />}
          </Answered>
        </div>
        <div class="stack column">
          <Panel title="Reader">
            <TextBox label="Candidates, one per line" {...field("c")} rows={5} />
            <TextBox
              label="More hashed URIs to match against, one per line"
              {...field("more")}
              rows={2}
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
