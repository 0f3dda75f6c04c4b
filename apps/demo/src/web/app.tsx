import { prefixListFileKind } from "@x/prefix-list";
import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { CopyButton } from "./components/copy-button.tsx";
import { Tabs } from "./components/tabs.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";
import { useFileDrop } from "./hooks/use-file-drop.ts";
import { useKeptFocus } from "./hooks/use-kept-focus.ts";
import { useLinkedState } from "./hooks/use-linked-state.ts";
import { useListsInUse } from "./hooks/use-lists-in-use.ts";
import { pendingUntil } from "./hooks/use-pending.ts";
import type { EngineChoice } from "./model/engine.ts";
import type { ScreenName } from "./model/screens.ts";
import { PageFooter } from "./page-footer.tsx";
import { HashedScreen } from "./screens/hashed/hashed-screen.tsx";
import { ListPanel } from "./screens/list-panel.tsx";
import { ManyScreen } from "./screens/many/many-screen.tsx";
import { useBulkCheck } from "./screens/many/use-bulk-check.ts";
import { UrlScreen } from "./screens/url/url-screen.tsx";
import { UrnScreen } from "./screens/urn/urn-screen.tsx";

const TABS: readonly (readonly [ScreenName, string])[] = [
  ["url", "URL"],
  ["many", "Many URLs"],
  ["hashed", "Hashed URIs"],
  ["urn", "URN"],
];

/** Enough bytes to recognise a list file. */
const LIST_FILE_START = 1024;

/** Reads only the beginning, because a file of URLs may be large. */
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

export function App({ isWebAssemblyPermitted }: AppProps): VNode {
  const { state, link, update, setters, goTo } = useLinkedState();
  useKeptFocus();
  const { screen, values } = state;
  const engine: EngineChoice = isWebAssemblyPermitted ? state.engine : "javascript";
  const title = TABS.find(([name]) => name === screen)![1];
  useEffect(() => {
    document.title = `${title} · urlhash`;
  }, [title]);
  const [urlFile, setUrlFile] = useState<File | null>(null);
  const [linkedText] = useState(values.many.u);
  // The check lives here, so that it goes on while another screen is shown.
  const bulkChecking = useBulkCheck();

  const { lists, tried, all, missing, doubts } = useListsInUse({ state, update });
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

  const listPanel = <ListPanel lists={lists} tried={tried} missing={missing} onFile={add} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("screen")?.focus()}>
        Skip to the content
      </button>
      <header class="row">
        <div class="brand">
          <h1>urlhash</h1>
          <p class="tagline">
            See how Safe Browsing and other blocklists read a URL, and why it is on a list. Nothing
            that you type leaves this page.
          </p>
        </div>
        <div class="row settings">
          <CopyButton
            text={() => location.href.replace(/#.*/s, "") + link.fragment}
            what="to this view"
            label="Copy link"
          />
          <ThemeSwitch />
        </div>
      </header>
      <main>
        <Tabs label="Screens" tabs={TABS} current={screen} onChange={goTo}>
          {screen === "url" && (
            <UrlScreen
              values={values.url}
              set={setters.url}
              lists={all}
              doubts={doubts}
              listPanel={listPanel}
            />
          )}
          {screen === "many" && (
            <ManyScreen
              values={values.many}
              set={setters.many}
              checking={bulkChecking}
              lists={all}
              doubts={doubts}
              engine={engine}
              file={urlFile}
              onFile={setUrlFile}
              linkedText={linkedText}
              onOpen={(url) => {
                setters.url({ u: url });
                goTo("url");
              }}
              listPanel={listPanel}
            />
          )}
          {screen === "hashed" && <HashedScreen values={values.hashed} set={setters.hashed} />}
          {screen === "urn" && <UrnScreen values={values.urn} set={setters.urn} />}
        </Tabs>
      </main>
      <PageFooter
        isLinkPartial={link.omitted.length > 0}
        engine={engine}
        onEngine={(chosen) => update((before) => ({ ...before, engine: chosen }))}
        isWebAssemblyPermitted={isWebAssemblyPermitted}
      />
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
