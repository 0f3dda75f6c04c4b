import { explainUrl } from "@x/explain";
import type { PrefixList } from "@x/prefix-list";
import type { VNode } from "preact";
import { useId, useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { TextBox } from "../../components/text-box.tsx";
import type { SetValue } from "../../hooks/use-linked-state.ts";
import { useSettled } from "../../hooks/use-settled.ts";
import type { Values } from "../../model/screens.ts";
import { URL_EXAMPLES } from "./examples.ts";
import { ExpressionTable } from "./expression-table.tsx";
import { HashedUris } from "./hashed-uris.tsx";
import { Leaving } from "./leaving.tsx";
import { CanonicalParts } from "./parts.tsx";
import { Steps } from "./steps.tsx";
import { VerdictBar } from "./verdict.tsx";

interface UrlScreenProps {
  readonly values: Values<"url">;
  readonly set: SetValue<"url">;
  readonly lists: readonly PrefixList[];
  readonly listPanel: VNode;
}

/** One URL, from the typed text to the verdict. */
export function UrlScreen({ values, set, lists, listPanel }: UrlScreenProps): VNode {
  const input = useSettled(values.u);
  const { bytes } = values;
  const result = useMemo(
    () => (input === "" ? null : explainUrl(input, lists, { prefixBytes: bytes })),
    [input, lists, bytes],
  );
  const error = result !== null && "error" in result ? result.error : null;
  const explained = result === null || "error" in result ? null : result;
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
      <VerdictBar explained={result} />
      {error !== null && (
        <Panel title="Why this is not a URL">
          <Problem error={error} input={input} id={errorId} />
        </Panel>
      )}
      {explained !== null && (
        <>
          <div class="columns wide-left">
            <div class="column">
              <Panel
                title="Canonical URL"
                actions={<CopyButton text={() => explained.canonical} what="the canonical URL" />}
              >
                <CanonicalParts url={explained} />
              </Panel>
              <Steps input={input} steps={explained.steps} />
            </div>
            <div class="column">
              <Leaving input={input} explained={explained} />
              {listPanel}
            </div>
          </div>
          <ExpressionTable
            explained={explained}
            prefixBytes={bytes}
            onPrefixBytes={(chosen) => set("bytes", chosen)}
          />
          <HashedUris uri={input} />
        </>
      )}
      {explained === null && listPanel}
    </>
  );
}
