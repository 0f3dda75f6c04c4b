import { printable } from "@x/explain/printable";
import { prefixListFileKind } from "@x/prefix-list";
import type { VNode } from "preact";
import { useCallback, useEffect, useId, useState } from "preact/hooks";
import { CopyButton } from "./components/copy-button.tsx";
import { Tabs } from "./components/tabs.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";
import { useFileDrop } from "./hooks/use-file-drop.ts";
import { useKeptFocus } from "./hooks/use-kept-focus.ts";
import { useLinkedState } from "./hooks/use-linked-state.ts";
import type { Lists } from "./hooks/use-lists.ts";
import { useListsInUse } from "./hooks/use-lists-in-use.ts";
import { pendingUntil } from "./hooks/use-pending.ts";
import { useSlashKey } from "./hooks/use-slash-key.ts";
import type { EngineChoice } from "./model/engine.ts";
import type { ScreenName } from "./model/screens.ts";
import { useBulkCheck } from "./screens/many/use-bulk-check.ts";
import { AnswerCard, answerTo, titleOf } from "./screens/url/answer-card.tsx";
import { UrlEntry } from "./screens/url/url-entry.tsx";
import { useUrl } from "./screens/url/use-url.ts";
import { useLater } from "./use-later.ts";

const TABS: readonly (readonly [ScreenName, string])[] = [
  ["url", "URL"],
  ["many", "Many URLs"],
  ["urn", "URN"],
  ["hashed", "Hashed URIs"],
];

/** Enough bytes to recognize a list file. */
const LIST_FILE_START = 1024;

/** Whether a file is a list file. Only its beginning is read, because a file of URLs may be large. */
async function isListFile(file: File): Promise<boolean> {
  // A file that cannot be read, such as a folder, is reported when it is checked.
  const start = await file
    .slice(0, LIST_FILE_START)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  return prefixListFileKind(new Uint8Array(start)) !== null;
}

interface AppProps {
  readonly isWebAssemblyPermitted: boolean;
}

/** Says what became of a dropped list file while the panel of the lists is folded. */
function ListNotice({ lists: { reading, problem } }: { readonly lists: Lists }): VNode {
  return (
    <div class="live" role="status">
      {reading !== null && <p class="muted">Reading {printable(reading)} …</p>}
      {problem !== null && <p class="warning">{printable(problem.message)}</p>}
    </div>
  );
}

export function App({ isWebAssemblyPermitted }: AppProps): VNode {
  const { state, link, update, setters, goTo, fold } = useLinkedState();
  useKeptFocus();
  useSlashKey();
  const { later, problem } = useLater();
  const { screen, values } = state;
  const isUrl = screen === "url";
  const engine: EngineChoice = isWebAssemblyPermitted ? state.engine : "javascript";
  const [urlFile, setUrlFile] = useState<File | null>(null);
  const [linkedText] = useState(values.many.u);
  // The state of the check is kept here, so that the check goes on while another screen is shown.
  const bulkChecking = useBulkCheck();

  const { lists, tried, all, missing, doubts, exampleNote } = useListsInUse({ state, update });
  const { add } = lists;
  const takeFile = useCallback(
    async (file: File, target: Element): Promise<void> => {
      const isForMany = screen === "many" && target.closest("[data-drop=list]") === null;
      if (isForMany && !(await pendingUntil(isListFile(file)))) setUrlFile(file);
      else await add(file);
    },
    [screen, add],
  );
  const isDragging = useFileDrop(takeFile);

  const result = useUrl(isUrl ? values.url.u : "", all, values.url.bytes, later);
  const answer = { result, isLoading: !result.isComplete, doubts };
  const error =
    // A defanged URL is not a mistake.
    result.explained !== null && "error" in result.explained && result.meant === null
      ? result.explained.error
      : null;
  const errorId = useId();
  const tab = TABS.find(([name]) => name === screen)![1];
  const title = isUrl && result.explained !== null ? titleOf(answerTo(answer)) : tab;
  useEffect(() => {
    document.title = `${title} · urlhash`;
  }, [title]);

  const listPanel = later && (
    <later.ListPanel lists={lists} tried={tried} missing={missing} onFile={add} />
  );
  return (
    <>
      {/* The field comes before the header, so that it is the first tab stop. */}
      {isUrl && (
        <UrlEntry
          value={values.url.u}
          onChange={(u) => setters.url({ u })}
          onExample={(u) => goTo("url", { u })}
          errorId={error === null ? undefined : errorId}
        />
      )}
      <header class="row bar">
        <h1>urlhash</h1>
        <button
          type="button"
          class="skip"
          onClick={() => document.getElementById("screen")?.focus()}
        >
          Skip to the content
        </button>
        <Tabs label="Screens" tabs={TABS} current={screen} onChange={goTo} />
        <div class="row settings">
          <CopyButton
            text={() => location.href.replace(/#.*/s, "") + link.fragment}
            what="a link to this view"
            label="Share"
            done={
              link.omitted.length === 0
                ? "Link copied"
                : "Copied, without the text that is too long"
            }
          />
          <ThemeSwitch />
        </div>
      </header>
      <main>
        <div
          id="screen"
          class="stack"
          role="tabpanel"
          tabIndex={-1}
          aria-labelledby={`tab-${screen}`}
        >
          {isUrl && (
            <AnswerCard
              {...answer}
              onMeant={(u) => setters.url({ u })}
              onUrn={(u) => goTo("urn", { u })}
              exampleNote={exampleNote}
              report={later && <later.Report result={result} doubts={doubts} />}
            />
          )}
          {isUrl && !values.url.open.includes("lists") && <ListNotice lists={lists} />}
          {problem !== null && (
            <p class="warning" role="alert">
              The rest of this page could not be loaded: {printable(problem)}
            </p>
          )}
          {later !== null && isUrl && (
            <later.UrlDetails
              result={result}
              errorId={errorId}
              values={values.url}
              set={setters.url}
              onFold={fold}
              lists={all}
              doubts={doubts}
              listPanel={listPanel}
            />
          )}
          {later !== null && screen === "many" && (
            <later.ManyScreen
              values={values.many}
              set={setters.many}
              checking={bulkChecking}
              lists={all}
              doubts={doubts}
              engine={engine}
              file={urlFile}
              onFile={setUrlFile}
              linkedText={linkedText}
              onOpen={(u) => goTo("url", { u })}
              listPanel={listPanel}
            />
          )}
          {later !== null && screen === "hashed" && (
            <later.HashedScreen values={values.hashed} set={setters.hashed} />
          )}
          {later !== null && screen === "urn" && (
            <later.UrnScreen values={values.urn} set={setters.urn} />
          )}
        </div>
      </main>
      {later !== null && (
        <later.PageFooter
          isLinkPartial={link.omitted.length > 0}
          engine={engine}
          onEngine={(chosen) => update((before) => ({ ...before, engine: chosen }))}
          isWebAssemblyPermitted={isWebAssemblyPermitted}
        />
      )}
      {isDragging && (
        <p class="drop-hint" aria-hidden="true">
          {screen === "many"
            ? "Drop a file of URLs to check, or drop a list on “Lists”"
            : "Drop a list: URLs, a hosts file, filters, a table, or hash prefixes"}
        </p>
      )}
    </>
  );
}
