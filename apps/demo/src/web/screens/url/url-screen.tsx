import type { VNode } from "preact";
import { useId, useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { analyzeUrl } from "../../model/analyze-url.ts";
import type { Checking } from "../../model/checking.ts";
import type { Values } from "../../model/screens.ts";
import type { SetValue } from "../../use-linked-state.ts";
import { useSettled } from "../../use-settled.ts";
import { URL_EXAMPLES } from "./examples.ts";
import { ExpressionTable } from "./expression-table.tsx";
import { HashedUris } from "./hashed-uris.tsx";
import { Leaving } from "./leaving.tsx";
import { CanonicalParts } from "./parts.tsx";
import { Steps } from "./steps.tsx";
import { Verdict } from "./verdict.tsx";

interface UrlScreenProps {
  readonly values: Values<"url">;
  readonly set: SetValue<"url">;
  readonly checking: Checking;
  readonly hasLists: boolean;
  readonly listPanel: VNode;
}

/** One URL, from what was typed to the verdict. */
export function UrlScreen({ values, set, checking, hasLists, listPanel }: UrlScreenProps): VNode {
  const input = useSettled(values.u);
  const reading = useMemo(() => analyzeUrl(input, checking), [input, checking]);
  const { analysis } = reading;
  const error = input === "" ? null : reading.error;
  const errorId = useId();
  return (
    <>
      <div class="entry">
        <TextBox
          label="URL"
          value={values.u}
          onChange={(value) => set("u", value)}
          rows={2}
          isWrapped
          errorId={error === null ? undefined : errorId}
        />
        <Examples examples={URL_EXAMPLES} onChoose={(value) => set("u", value)} />
      </div>
      <Verdict reading={reading} isEmpty={input === ""} hasLists={hasLists} />
      {error !== null && (
        <Panel title="Why this is not a URL">
          <Problem error={error} input={input} id={errorId} />
        </Panel>
      )}
      {analysis !== null && (
        <>
          <div class="columns wide-left">
            <div class="column">
              <Panel
                title="Canonical URL"
                actions={<CopyButton text={() => analysis.url.href} what="the canonical URL" />}
              >
                <CanonicalParts url={analysis.url} />
              </Panel>
              <Steps input={input} steps={analysis.steps} />
            </div>
            <div class="column">
              <Leaving input={input} analysis={analysis} />
              {listPanel}
            </div>
          </div>
          <ExpressionTable
            analysis={analysis}
            prefixBytes={values.bytes}
            onPrefixBytes={(bytes) => set("bytes", bytes)}
          />
          <HashedUris uri={input} />
        </>
      )}
      {analysis === null && listPanel}
    </>
  );
}
