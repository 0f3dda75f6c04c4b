import type { VNode } from "preact";
import { CopyButton } from "./components/copy-button.tsx";
import { Tabs } from "./components/tabs.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";
import type { ScreenName } from "./model/screens.ts";
import type { WrittenLink } from "./model/share-link.ts";

interface PageHeaderProps {
  readonly screens: readonly (readonly [name: ScreenName, label: string])[];
  readonly current: ScreenName;
  readonly onScreen: (screen: ScreenName) => void;
  /** The link to the current screen. */
  readonly link: WrittenLink;
}

/** The name of the page, the tabs of its screens, and the controls for all screens. */
export function PageHeader({ screens, current, onScreen, link }: PageHeaderProps): VNode {
  const { fragment, omitted } = link;
  return (
    <header class="row bar">
      <button type="button" class="skip" onClick={() => document.getElementById("screen")?.focus()}>
        Skip to the content
      </button>
      <h1>urlhash</h1>
      <Tabs
        label="Screens"
        tabs={screens}
        current={current}
        onChange={onScreen}
        prefix="tab-"
        panelOf={() => "screen"}
      />
      <div class="row settings">
        <CopyButton
          text={() => location.href.replace(/#.*/s, "") + fragment}
          what="a link to this view"
          label="Share"
          done={omitted.length === 0 ? "Link copied" : "Copied, without the text that is too long"}
        />
        <ThemeSwitch />
      </div>
    </header>
  );
}
