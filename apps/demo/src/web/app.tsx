import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { CopyButton } from "./components/buttons.tsx";
import { Tabs } from "./components/controls.tsx";
import { useDroppedFiles } from "./hooks/use-dropped-files.ts";
import { useKeptFocus } from "./hooks/use-kept-focus.ts";
import { useLinkedState } from "./hooks/use-linked-state.ts";
import { useLists } from "./hooks/use-lists.ts";
import { usePageSettings } from "./hooks/use-page-settings.ts";
import { useTitle } from "./hooks/use-pending.ts";
import type { ScreenName } from "./model/screens.ts";
import type { WrittenLink } from "./model/share-link.ts";
import { CheckScreen } from "./screens/check-screen.tsx";
import { type DeferredModules, useDeferredModules } from "./use-deferred-modules.ts";

const SCREENS = [
  ["url", "Check"],
  ["urn", "Tools"],
] as const;
const TOOLS = [
  ["urn", "URNs"],
  ["hashed", "Hashed URIs"],
] as const;

interface HeaderProps {
  readonly current: ScreenName;
  readonly onScreen: (screen: ScreenName) => void;
  /** The link to this view; `null` if there is nothing to share. */
  readonly link: WrittenLink | null;
}

/** The name of the page, the tabs of its screens, and the controls for all screens. */
function Header({ current, onScreen, link }: HeaderProps): VNode {
  return (
    <header class="row bar">
      <button type="button" class="skip" onClick={() => document.getElementById("screen")?.focus()}>
        Skip to content
      </button>
      <h1>urlhash</h1>
      <Tabs
        label="Screens"
        tabs={SCREENS}
        current={current === "url" ? "url" : "urn"}
        onChange={onScreen}
        prefix="tab-"
        panelOf={() => "screen"}
      />
      {link !== null && (
        <div class="settings">
          <CopyButton
            text={() => location.href.replace(/#.*/s, "") + link.fragment}
            what="with this view"
            label="Copy page link"
            done={link.omitted.length === 0 ? "Link copied" : "Copied, without the long text"}
          />
        </div>
      )}
    </header>
  );
}

interface ToolsProps {
  readonly later: DeferredModules;
  readonly linked: ReturnType<typeof useLinkedState>;
}

function Tools({ later, linked: { state, setters, goTo } }: ToolsProps): VNode {
  const { screen, values } = state;
  const current = screen === "hashed" ? "hashed" : "urn";
  return (
    <>
      <Tabs
        label="Tools"
        tabs={TOOLS}
        current={current}
        onChange={goTo}
        prefix="tool-"
        panelOf={() => "tool"}
      />
      <div id="tool" class="stack" role="tabpanel" aria-labelledby={`tool-${current}`}>
        {current === "hashed" ? (
          <later.HashedScreen values={values.hashed} set={setters.hashed} />
        ) : (
          <later.UrnScreen values={values.urn} set={setters.urn} />
        )}
      </div>
    </>
  );
}

export function App(): VNode {
  const linked = useLinkedState();
  const { state, link, setters, goTo } = linked;
  const { screen, values } = state;
  useKeptFocus();
  const { later, problem } = useDeferredModules();
  const settings = usePageSettings();
  const inUse = useLists(settings.isKnown ? settings.settings.store : undefined);
  const [file, setFile] = useState<File | null>(null);
  const onText = useCallback((opened: File) => {
    setFile(opened);
    goTo("url", { u: "", show: "all", page: 1 });
  }, []);
  const isDragging = useDroppedFiles({ screen, onList: inUse.add, onText });
  useTitle(screen === "url" ? null : TOOLS.find(([name]) => name === screen)![1]);
  return (
    <>
      <Header
        current={screen}
        onScreen={goTo}
        // A file cannot be in a link.
        link={screen === "url" && values.url.u.trim() === "" ? null : link}
      />
      <main>
        <div
          id="screen"
          class="stack"
          role="tabpanel"
          tabIndex={-1}
          aria-labelledby={screen === "url" ? "tab-url" : "tab-urn"}
        >
          {screen === "url" && (
            <CheckScreen
              {...linked}
              values={values.url}
              set={setters.url}
              opened={file}
              onFile={setFile}
              inUse={inUse}
              settings={settings.settings}
              later={later}
              listPanel={later && <later.ListPanel inUse={inUse} settings={settings} />}
            />
          )}
          {problem !== null && (
            <p class="warning" role="alert">
              The rest of this page could not be loaded: {printable(problem)}
            </p>
          )}
          {later !== null && screen !== "url" && <Tools later={later} linked={linked} />}
        </div>
      </main>
      {later !== null && (
        <later.PageFooter isLinkPartial={link.omitted.length > 0} settings={settings.settings} />
      )}
      {isDragging && (
        <p class="drop-hint" aria-hidden="true">
          Drop an email, a page, a text or a file of URLs to check it, or drop a list on “Lists”
        </p>
      )}
    </>
  );
}
