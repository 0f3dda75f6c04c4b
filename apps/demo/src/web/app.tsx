import { printable } from "@x/explain/printable";
import type { ComponentProps, VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { useDroppedFiles } from "./hooks/use-dropped-files.ts";
import { useKeptFocus } from "./hooks/use-kept-focus.ts";
import { useLinkedState } from "./hooks/use-linked-state.ts";
import { useListsInUse } from "./hooks/use-lists-in-use.ts";
import { usePageSettings } from "./hooks/use-page-settings.ts";
import { useTitle } from "./hooks/use-title.ts";
import type { EngineChoice } from "./model/engine.ts";
import type { ScreenName } from "./model/screens.ts";
import { PageHeader } from "./page-header.tsx";
import { useBulkCheck } from "./screens/many/use-bulk-check.ts";
import { UrlScreen } from "./url-screen.tsx";
import { type DeferredModules, useDeferredModules } from "./use-deferred-modules.ts";

const TABS: readonly (readonly [ScreenName, string])[] = [
  ["url", "URL"],
  ["many", "Many URLs"],
  ["urn", "URN"],
  ["hashed", "Hashed URIs"],
];

interface OtherScreenProps {
  readonly later: DeferredModules;
  readonly linked: ReturnType<typeof useLinkedState>;
  readonly many: Omit<ComponentProps<DeferredModules["ManyScreen"]>, "values" | "set" | "onOpen">;
}

/** The current screen, unless it is the URL screen. */
function OtherScreen({ later, linked, many }: OtherScreenProps): VNode | null {
  const { state, setters, goTo } = linked;
  const { screen, values } = state;
  if (screen === "many") {
    const onOpen = (u: string): void => goTo("url", { u });
    return <later.ManyScreen {...many} values={values.many} set={setters.many} onOpen={onOpen} />;
  }
  if (screen === "hashed")
    return <later.HashedScreen values={values.hashed} set={setters.hashed} />;
  return screen === "urn" ? <later.UrnScreen values={values.urn} set={setters.urn} /> : null;
}

interface AppProps {
  readonly isWebAssemblyPermitted: boolean;
}

export function App({ isWebAssemblyPermitted }: AppProps): VNode {
  const linked = useLinkedState();
  const { state, link, update, setters, goTo } = linked;
  const { screen, values } = state;
  useKeptFocus();
  const { later, problem } = useDeferredModules();
  const engine: EngineChoice = isWebAssemblyPermitted ? state.engine : "javascript";
  const [linkedText] = useState(values.many.u);
  // The state of a check is kept here, so that the check continues while another screen is shown.
  const bulkChecking = useBulkCheck();
  const inUse = useListsInUse(linked);
  const settings = usePageSettings();
  const onText = useCallback(() => goTo("url", { u: "" }), [goTo]);
  const { files, open, isDragging } = useDroppedFiles({ screen, onList: inUse.lists.add, onText });
  useTitle(screen === "url" ? null : TABS.find(([name]) => name === screen)![1]);

  const listPanel = later && <later.ListPanel inUse={inUse} settings={settings} />;
  return (
    <>
      <PageHeader screens={TABS} current={screen} onScreen={goTo} link={link} />
      <main>
        <div
          id="screen"
          class="stack"
          role="tabpanel"
          tabIndex={-1}
          aria-labelledby={`tab-${screen}`}
        >
          {screen === "url" && (
            <UrlScreen
              {...linked}
              values={values.url}
              set={setters.url}
              opened={files.text}
              onFile={(text) => open({ text })}
              inUse={inUse}
              settings={settings.settings}
              later={later}
              listPanel={listPanel}
            />
          )}
          {problem !== null && (
            <p class="warning" role="alert">
              The rest of this page could not be loaded: {printable(problem)}
            </p>
          )}
          {later !== null && (
            <OtherScreen
              later={later}
              linked={linked}
              many={{
                checking: bulkChecking,
                lists: inUse.all,
                doubts: inUse.doubts,
                engine,
                file: files.urls,
                onFile: (urls) => open({ urls }),
                linkedText,
                listPanel,
              }}
            />
          )}
        </div>
      </main>
      {later !== null && (
        <later.PageFooter
          isPromised={screen === "url" && values.url.u.trim() === "" && files.text === null}
          isLinkPartial={link.omitted.length > 0}
          settings={settings.settings}
          engine={engine}
          onEngine={(chosen) => update((before) => ({ ...before, engine: chosen }))}
          isWebAssemblyPermitted={isWebAssemblyPermitted}
        />
      )}
      {isDragging && later !== null && <later.DropHint screen={screen} />}
    </>
  );
}
