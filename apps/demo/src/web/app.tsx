import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "./components/copy-button.tsx";
import { Select } from "./components/select.tsx";
import { Tabs } from "./components/tabs.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";
import { createChecking } from "./model/checking.ts";
import { ENGINE_NAMES } from "./model/engine-names.ts";
import { type EngineChoice, isChecksumOf } from "./model/link.ts";
import { isListFile } from "./model/read-list.ts";
import type { ScreenName } from "./model/screens.ts";
import { HashedScreen } from "./screens/hashed/hashed-screen.tsx";
import { ListPanel } from "./screens/list-panel.tsx";
import { ManyScreen } from "./screens/many/many-screen.tsx";
import type { UrlFile } from "./screens/many/url-file.ts";
import { useBulkCheck } from "./screens/many/use-bulk-check.ts";
import { UrlScreen } from "./screens/url/url-screen.tsx";
import { UrnScreen } from "./screens/urn/urn-screen.tsx";
import { useFileDrop } from "./use-file-drop.ts";
import { useLinkedState } from "./use-linked-state.ts";
import { type LoadedList, useLists } from "./use-lists.ts";
import type { WorkerClient } from "./worker-client.ts";

const TABS: readonly (readonly [ScreenName, string])[] = [
  ["url", "URL"],
  ["many", "Many URLs"],
  ["hashed", "Hashed URIs"],
  ["urn", "URN"],
];

const ENGINES = [
  ["auto", "Fastest"],
  ["javascript", "JavaScript"],
] as const;

/** What a link says of lists: nothing when it is the built-in one alone. */
function listsForLink(loaded: readonly LoadedList[]): readonly string[] | null {
  const isInitial = loaded.length === 1 && loaded[0]!.isBuiltIn;
  return isInitial ? null : loaded.map(({ list }) => list.checksum);
}

interface AppProps {
  readonly worker: WorkerClient;
  readonly isWebAssemblyPermitted: boolean;
}

export function App({ worker, isWebAssemblyPermitted }: AppProps): VNode {
  const { state, link, update, setters, goTo } = useLinkedState();
  const { screen, values } = state;
  const engine: EngineChoice = isWebAssemblyPermitted ? state.engine : "javascript";
  const title = TABS.find(([name]) => name === screen)![1];
  useEffect(() => {
    document.title = `${title} · urlhash`;
  }, [title]);
  const [urlFile, setUrlFile] = useState<UrlFile | null>(null);
  const [linkedText] = useState(values.many.u);
  // Here, so that a check goes on while another screen is looked at.
  const bulkChecking = useBulkCheck(worker);

  const rememberLists = useCallback(
    (loaded: readonly LoadedList[]) =>
      update((before) => ({ ...before, lists: listsForLink(loaded) })),
    [update],
  );
  const lists = useLists(worker, { wanted: state.lists, onChange: rememberLists });
  const { loaded, add } = lists;
  const checking = useMemo(
    () => createChecking(loaded?.map(({ list }) => list) ?? [], engine),
    [loaded, engine],
  );
  const missing =
    loaded === null
      ? []
      : (state.lists ?? []).filter(
          (sum) => !loaded.some(({ list }) => isChecksumOf(sum.slice(0, 16), list.checksum)),
        );

  const takeFile = useCallback(
    async (file: File, target: Element | null): Promise<void> => {
      const octets = new Uint8Array(await file.arrayBuffer());
      const isForMany = screen === "many" && target?.closest("[data-drop=list]") == null;
      if (isForMany && !isListFile(octets)) setUrlFile({ name: file.name, octets });
      else await add(file.name, octets);
    },
    [screen, add],
  );
  const isDragging = useFileDrop(takeFile);

  const listPanel = (
    <ListPanel lists={lists} missing={missing} onFile={(file) => void takeFile(file, null)} />
  );
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("screen")?.focus()}>
        Skip to the content
      </button>
      <header>
        <div class="brand">
          <h1>urlhash</h1>
          <p class="tagline">
            Name and check URLs and URNs without revealing them. Nothing you type leaves this page.
          </p>
        </div>
        <div class="settings">
          <Select
            label="Engine"
            value={engine}
            options={isWebAssemblyPermitted ? ENGINES : ENGINES.slice(1)}
            onChange={(value) => update((before) => ({ ...before, engine: value }))}
          />
          <p class="engine" role="status">
            <span class="hidden">Hashing runs on </span>
            {ENGINE_NAMES[checking.engine]}
          </p>
          <ThemeSwitch />
        </div>
      </header>
      <main>
        <Tabs label="What to look at" tabs={TABS} current={screen} onChange={goTo}>
          {screen === "url" && (
            <UrlScreen
              values={values.url}
              set={setters.url}
              checking={checking}
              hasLists={loaded !== null && loaded.length > 0}
              listPanel={listPanel}
            />
          )}
          {screen === "many" && (
            <ManyScreen
              values={values.many}
              set={setters.many}
              checking={bulkChecking}
              lists={loaded}
              engine={engine}
              file={urlFile}
              onFile={setUrlFile}
              linkedText={linkedText}
              listPanel={listPanel}
            />
          )}
          {screen === "hashed" && (
            <HashedScreen values={values.hashed} set={setters.hashed} worker={worker} />
          )}
          {screen === "urn" && <UrnScreen values={values.urn} set={setters.urn} worker={worker} />}
        </Tabs>
      </main>
      <footer>
        <p>
          <CopyButton
            text={() => location.href.replace(/#.*/s, "") + link.fragment}
            what="to this view"
            label="Copy link"
          />
          <span class={link.omitted.length > 0 ? "warning" : "muted"}>
            {link.omitted.length > 0
              ? "A text on this screen is too long for a link, or is not Unicode: the link leaves it out."
              : "The link holds what is on this screen after its “#”, of which no server hears."}
          </span>
        </p>
      </footer>
      {isDragging && (
        <div class="drop-veil" aria-hidden="true">
          <p>
            {screen === "many"
              ? "Drop URLs to check, or a list of hash prefixes"
              : "Drop a list: hash prefixes, or one URL a line"}
          </p>
        </div>
      )}
    </>
  );
}
