import { printable } from "@x/explain/printable";
import { checker } from "@x/lookup";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Help } from "./components/help.tsx";
import { Select } from "./components/select.tsx";
import { useSlashKey } from "./hooks/use-slash-key.ts";
import { ENGINE_NAMES, type EngineChoice } from "./model/engine.ts";
import type { PageSettings } from "./model/page-settings.ts";

interface PageFooterProps {
  /** Whether the screen already says that nothing is sent. */
  readonly isPromised: boolean;
  /** Whether a text is missing from the link, for example because it is too long. */
  readonly isLinkPartial: boolean;
  readonly settings: PageSettings;
  readonly engine: EngineChoice;
  readonly onEngine: (engine: EngineChoice) => void;
  readonly isWebAssemblyPermitted: boolean;
}

const ENGINES = [
  ["auto", "Fastest"],
  ["javascript", "JavaScript"],
] as const;

/** The footer: the link to this screen, the hash engine, and help. */
export function PageFooter(props: PageFooterProps): VNode {
  const { isPromised, isLinkPartial, settings, engine, onEngine, isWebAssemblyPermitted } = props;
  const { operator } = settings;
  useSlashKey();
  const running = useMemo(() => checker([], { engine }).engine, [engine]);
  return (
    <footer class="row">
      <Help {...settings} />
      <p class={isLinkPartial ? "warning" : "muted"}>
        {isLinkPartial
          ? "The link leaves out a text that is too long for a link or is not Unicode."
          : `${isPromised ? "" : "Nothing that you typed was sent. "}“Share” makes a link with the texts on this screen after “#”, a part that browsers do not send to servers.`}
      </p>
      {operator !== null && (
        <p class="muted">
          This page is run by{" "}
          <a href={operator.href} rel="noreferrer">
            {printable(operator.name)}
          </a>
          .
        </p>
      )}
      <details class="help">
        <summary>Settings</summary>
        <div class="row">
          <Select
            label="Engine"
            value={engine}
            options={isWebAssemblyPermitted ? ENGINES : ENGINES.slice(1)}
            onChange={onEngine}
          />
          <p class="engine" role="status">
            <span class="hidden">Hashing runs on </span>
            {ENGINE_NAMES[running]}
          </p>
        </div>
      </details>
    </footer>
  );
}
