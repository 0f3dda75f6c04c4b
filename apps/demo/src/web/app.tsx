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
import { ExampleCard } from "./screens/url/example-card.tsx";
import { UrlEntry, UrlExamples } from "./screens/url/url-entry.tsx";
import { usePasted } from "./screens/url/use-pasted.ts";
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
  const { state, link, update, setters, goTo, showDetails } = useLinkedState();
  useKeptFocus();
  useSlashKey();
  const { later, problem } = useLater();
  const { screen, values } = state;
  const isUrl = screen === "url";
  const engine: EngineChoice = isWebAssemblyPermitted ? state.engine : "javascript";
  const [urlFile, setUrlFile] = useState<File | null>(null);
  const [pastedFile, setPastedFile] = useState<File | null>(null);
  const [linkedText] = useState(values.many.u);
  // The state of the check is kept here, so that the check goes on while another screen is shown.
  const bulkChecking = useBulkCheck();

  const { lists, tried, all, missing, doubts, exampleNote } = useListsInUse({ state, update });
  const { add } = lists;
  const takeFile = useCallback(
    async (file: File, target: Element): Promise<void> => {
      const isForList = target.closest("[data-drop=list]") !== null;
      if (isForList || (screen !== "many" && !isUrl) || (await pendingUntil(isListFile(file)))) {
        return add(file);
      }
      if (screen === "many") setUrlFile(file);
      else {
        setPastedFile(file);
        goTo("url", { u: "" });
      }
    },
    [screen, isUrl, add, goTo],
  );
  const isDragging = useFileDrop(takeFile);

  const text = isUrl ? values.url.u : "";
  // A text that is opened from a file takes its place until Back is pressed.
  const file = isUrl && text === "" ? pastedFile : null;
  const {
    result,
    only,
    found,
    isLinkless,
    problem: searchProblem,
    isSearching,
  } = usePasted(text, file, all, values.url.bytes, later);
  const answer = { result, isLoading: !result.isComplete, isSearching, isLinkless, doubts };
  const isStart = isUrl && text.trim() === "" && file === null;
  const error =
    // A defanged URL is not a mistake, and neither is a text with links.
    result.explained !== null &&
    "error" in result.explained &&
    result.meant === null &&
    found === null &&
    !isSearching
      ? result.explained.error
      : null;
  const errorId = useId();
  const tab = TABS.find(([name]) => name === screen)![1];
  const said =
    found === null || later === null ? titleOf(answerTo(answer)) : later.foundTitle(found);
  const title = isUrl && said !== "" ? said : tab;
  useEffect(() => {
    document.title = `${title} · urlhash`;
  }, [title]);

  const listPanel = later && (
    <later.ListPanel lists={lists} tried={tried} missing={missing} onFile={add} />
  );
  return (
    <>
      <header class="row bar">
        <button
          type="button"
          class="skip"
          onClick={() => document.getElementById("screen")?.focus()}
        >
          Skip to the content
        </button>
        <h1>urlhash</h1>
        <Tabs
          label="Screens"
          tabs={TABS}
          current={screen}
          onChange={goTo}
          prefix="tab-"
          panelOf={() => "screen"}
        />
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
            <UrlEntry
              value={text}
              onChange={(u) => setters.url({ u })}
              file={file}
              onFile={setPastedFile}
              errorId={error === null ? undefined : errorId}
            />
          )}
          {isStart && (
            <>
              <ExampleCard lists={all} doubts={doubts} onOpen={(u) => goTo("url", { u })} />
              <div class="row folds">
                <UrlExamples onExample={(u) => goTo("url", { u })} />
                <details class="fold" open={values.url.tab === "lists"}>
                  <summary>Lists</summary>
                  {listPanel}
                </details>
              </div>
            </>
          )}
          {isUrl && !isStart && later !== null && found !== null && (
            <later.FoundLinks
              found={found}
              fileName={file?.name ?? null}
              doubts={doubts}
              onOpen={(u) => goTo("url", { u })}
              onList={() => {
                setPastedFile(null);
                showDetails("lists");
                void add(file!);
              }}
            />
          )}
          {isUrl && !isStart && found === null && (
            <AnswerCard
              {...answer}
              only={only}
              onMeant={(u) => goTo("url", { u })}
              onUrn={(u) => goTo("urn", { u })}
              exampleNote={exampleNote}
              onLists={() => showDetails("lists")}
              nextSteps={later && <later.NextSteps result={result} doubts={doubts} />}
            />
          )}
          {isUrl && values.url.tab !== "lists" && <ListNotice lists={lists} />}
          {isUrl && searchProblem !== null && (
            <p class="warning" role="alert">
              The text was not searched for links: {printable(searchProblem)}
            </p>
          )}
          {problem !== null && (
            <p class="warning" role="alert">
              The rest of this page could not be loaded: {printable(problem)}
            </p>
          )}
          {later !== null && isUrl && !isStart && !isSearching && (
            <later.UrlDetails
              result={result}
              isSeveral={found !== null}
              errorId={errorId}
              values={values.url}
              set={setters.url}
              onTab={showDetails}
              onHashed={(u) => goTo("hashed", { u })}
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
          isPromised={isStart}
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
            : "Drop a mail, a page or a text to check its links, or a list on “Lists”"}
        </p>
      )}
    </>
  );
}
