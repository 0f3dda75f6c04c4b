import type { VNode } from "preact";
import { useCallback, useEffect } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { ROOMY } from "../../components/roomy.ts";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import { usePending } from "../../hooks/use-pending.ts";
import { MANY_EXAMPLE } from "../../model/bulk/example.ts";
import type { EngineChoice } from "../../model/engine.ts";
import type { PageList } from "../../model/page-list.ts";
import type { Values } from "../../model/screens.ts";
import { Results } from "./results.tsx";
import { Summary } from "./summary.tsx";
import { UrlInput } from "./url-input.tsx";
import type { BulkChecking } from "./use-bulk-check.ts";
import { VerdictBar } from "./verdict-bar.tsx";

interface ManyScreenProps {
  readonly values: Values<"many">;
  readonly set: SetValues<"many">;
  readonly checking: BulkChecking;
  readonly lists: readonly PageList[] | null;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  readonly engine: EngineChoice;
  /** A file instead of the text. */
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
  /** The text that the page was opened with. */
  readonly linkedText: string;
  /** Opens a URL on the screen for single URLs. */
  readonly onOpen: (url: string) => void;
  readonly listPanel: VNode | null;
}

const NO_COUNTS = { listed: 0, disguised: 0, "not-listed": 0, "not-a-url": 0 };

/** The screen for thousands of URLs at once. */
export function ManyScreen(props: ManyScreenProps): VNode {
  const { values, set, checking, lists, doubts, engine, file, linkedText } = props;
  const { check, start, cancel } = checking;
  const field = fieldsOf(values, set);
  const isRunning = check?.phase === "running";
  const source = file ?? values.u;
  const hasInput = file !== null || values.u.trim() !== "";
  const isStale =
    check !== null && !isRunning && (check.source !== source || check.lists !== lists);

  const run = useCallback((): void => {
    if (lists !== null) start(source, lists, engine);
  }, [source, lists, engine, start]);

  // Text from a link, the example and files are checked at once. Text that is being typed is not.
  const isFromLink = check === null && hasInput && source === linkedText;
  const isNewFile = file !== null && check?.source !== file;
  const isDue = isFromLink || isNewFile;
  usePending(isDue);
  useEffect(() => {
    if (isDue) run();
  }, [isDue, run]);

  return (
    <>
      <div class="columns wide-left">
        <div class="stack column">
          <Panel title="URLs" class="urls">
            <UrlInput {...field("u")} file={file} onFile={props.onFile} />
            <div class="row buttons">
              <Button
                class="primary"
                isAvailable={hasInput && !isRunning && lists !== null}
                onClick={run}
              >
                Check
              </Button>
              <Button isAvailable={isRunning} onClick={cancel}>
                Cancel
              </Button>
              {source !== MANY_EXAMPLE && (
                <button
                  type="button"
                  onClick={() => {
                    props.onFile(null);
                    set({ u: MANY_EXAMPLE });
                  }}
                >
                  Example
                </button>
              )}
            </div>
          </Panel>
        </div>
        <details class="fold" open={matchMedia(ROOMY).matches}>
          <summary>Lists</summary>
          {props.listPanel}
        </details>
      </div>
      {check !== null && (
        <Panel title="Verdicts" class="verdicts">
          <p class="checked-count">
            <strong>{(check.progress?.checked ?? 0).toLocaleString("en")}</strong> checked
          </p>
          <VerdictBar
            counts={check.progress?.counts ?? NO_COUNTS}
            shown={values.show}
            onShow={(show) => set({ show, page: 1 })}
          />
          <Summary check={check} />
          {doubts.map((doubt) => (
            <p key={doubt} class="warning">
              {doubt}
            </p>
          ))}
          {isStale && (
            <p class="warning">
              The URLs or the lists have changed since. Check again to update the results.
            </p>
          )}
        </Panel>
      )}
      {check !== null && check.progress !== null && (
        <Results
          job={check.job}
          progress={check.progress}
          isRunning={isRunning}
          values={values}
          set={set}
          onOpen={props.onOpen}
        />
      )}
    </>
  );
}
