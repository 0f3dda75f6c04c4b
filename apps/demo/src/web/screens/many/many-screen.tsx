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
import type { BulkChecking, RunningCheck } from "./use-bulk-check.ts";
import { VerdictBar } from "./verdict-bar.tsx";

interface ManyScreenProps {
  readonly values: Values<"many">;
  readonly set: SetValues<"many">;
  readonly checking: BulkChecking;
  readonly lists: readonly PageList[] | null;
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  readonly engine: EngineChoice;
  /** The file that is checked instead of the text. */
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
  /** The text that the page was opened with. */
  readonly linkedText: string;
  /** Opens a URL on the screen for single URLs. */
  readonly onOpen: (url: string) => void;
  readonly listPanel: VNode | null;
}

const NO_COUNTS = { listed: 0, disguised: 0, "not-listed": 0, "not-a-url": 0 };

interface UrlsPanelProps extends Pick<ManyScreenProps, "values" | "set" | "file" | "onFile"> {
  /** Whether a check can start. */
  readonly isReady: boolean;
  readonly isRunning: boolean;
  readonly onCheck: () => void;
  readonly onCancel: () => void;
}

/** The URLs to check and the buttons that start and cancel a check. */
function UrlsPanel(props: UrlsPanelProps): VNode {
  const { values, set, file, onFile, isReady, isRunning, onCheck, onCancel } = props;
  return (
    <Panel title="URLs" class="urls">
      <UrlInput {...fieldsOf(values, set)("u")} file={file} onFile={onFile} />
      <div class="row buttons">
        <Button class="primary" isAvailable={isReady} onClick={onCheck}>
          Check
        </Button>
        <Button isAvailable={isRunning} onClick={onCancel}>
          Cancel
        </Button>
        {(file !== null || values.u !== MANY_EXAMPLE) && (
          <button
            type="button"
            onClick={() => {
              onFile(null);
              set({ u: MANY_EXAMPLE });
            }}
          >
            Example
          </button>
        )}
      </div>
    </Panel>
  );
}

interface VerdictsPanelProps extends Pick<ManyScreenProps, "values" | "set" | "doubts"> {
  readonly check: RunningCheck;
  /** Whether the URLs or the lists have changed since the check. */
  readonly isStale: boolean;
}

/** The number of URLs with each verdict. */
function VerdictsPanel({ check, isStale, values, set, doubts }: VerdictsPanelProps): VNode {
  const { checked = 0, counts = NO_COUNTS } = check.progress ?? {};
  return (
    <Panel title="Verdicts" class="verdicts">
      <p class="checked-count">
        <strong>{checked.toLocaleString("en")}</strong> checked
      </p>
      <VerdictBar counts={counts} shown={values.show} onShow={(show) => set({ show, page: 1 })} />
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
  );
}

/** The screen for thousands of URLs at once. */
export function ManyScreen(props: ManyScreenProps): VNode {
  const { values, set, checking, lists, engine, file, linkedText } = props;
  const { check, start, cancel } = checking;
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
          <UrlsPanel
            {...props}
            isReady={hasInput && !isRunning && lists !== null}
            isRunning={isRunning}
            onCheck={run}
            onCancel={cancel}
          />
        </div>
        <details class="fold" open={matchMedia(ROOMY).matches}>
          <summary>Lists</summary>
          {props.listPanel}
        </details>
      </div>
      {check !== null && <VerdictsPanel {...props} check={check} isStale={isStale} />}
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
