import type { UrlExplanation } from "@x/explain";
import type { ComponentChildren, VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { DetailName, Values } from "../../model/screens.ts";
import type { UrlResult } from "../../model/url-result.ts";
import { ExpressionsPanel } from "./expressions-panel.tsx";
import { HowSure } from "./how-sure.tsx";
import { Leaving } from "./leaving.tsx";
import { CanonicalParts } from "./parts.tsx";
import { Readings } from "./readings.tsx";
import { Steps } from "./steps.tsx";
import { WhoLearns } from "./who-learns.tsx";

interface UrlDetailsProps {
  readonly result: UrlResult;
  /** Whether there is an answer about several links instead. Then only the lists are shown. */
  readonly isSeveral: boolean;
  /** The id of the sentence that says why the text is not a URL. */
  readonly errorId: string;
  readonly values: Values<"url">;
  readonly set: SetValues<"url">;
  /** Called with the details to show. */
  readonly onTab: (tab: DetailName) => void;
  /** Called to show the hashed URIs of a URL. */
  readonly onHashed: (url: string) => void;
  readonly doubts: readonly string[];
  readonly listPanel: VNode | null;
}

function readingLead({ reading, opened }: UrlExplanation): string {
  if (reading === "both" && opened !== false) return "Browsers read this text in the same way.";
  if (reading === "browser")
    return "This is how the specification reads the URL that a browser opens.";
  const browsers =
    opened === false ? "Browsers do not open it." : "Browsers may read it differently.";
  return `This is how the specification reads the text. ${browsers}`;
}

const LABELS: Readonly<Record<DetailName, string>> = {
  why: "Why",
  steps: "Steps",
  hashes: "Hashes",
  privacy: "Privacy",
  lists: "Lists",
};

/** Everything about one URL that is not in its answer. */
export function UrlDetails(props: UrlDetailsProps): VNode {
  const { result, isSeveral, errorId, values, set, onTab, onHashed, doubts, listPanel } = props;
  const { input, meant } = result;
  const answer = isSeveral ? null : result.explained;
  const explained = answer === null || "error" in answer ? null : answer;
  const error = answer !== null && "error" in answer && meant === null ? answer.error : null;
  const field = fieldsOf(values, set);
  const contents: readonly (readonly [DetailName, ComponentChildren])[] = [
    [
      "why",
      error !== null ? (
        <Panel
          title={
            /^host-(?:undecided|invalid)$/.test(error.code)
              ? "Why there is no verdict"
              : "Why this is not a URL"
          }
        >
          <Problem error={error} input={input} id={errorId} />
        </Panel>
      ) : (
        answer !== null && explained !== null && <HowSure explained={answer} doubts={doubts} />
      ),
    ],
    [
      "steps",
      explained !== null && (
        <>
          <Readings explained={explained} />
          <Panel
            title="Canonical URL"
            lead={readingLead(explained)}
            actions={<CopyButton text={() => explained.canonical} what="the canonical URL" />}
          >
            <CanonicalParts url={explained} />
          </Panel>
          <Steps
            input={explained.refused === null ? input : explained.browser!.opens}
            steps={explained.steps}
          />
        </>
      ),
    ],
    [
      "hashes",
      explained !== null && (
        <>
          <ExpressionsPanel
            explained={explained}
            prefixBytes={values.bytes}
            onPrefixBytes={field("bytes").onChange}
          />
          <p class="row">
            <button type="button" class="link" onClick={() => onHashed(input)}>
              Hashed URIs of this URL
            </button>
            <span class="muted">follow rules of their own, from a draft of 2002.</span>
          </p>
        </>
      ),
    ],
    [
      "privacy",
      explained !== null && (
        <>
          <Leaving input={input} explained={explained} />
          <WhoLearns />
        </>
      ),
    ],
    ["lists", listPanel],
  ];
  // The lists stay in the same place, so that a field in them keeps the focus while someone types.
  const tabs = contents.filter(([name, content]) => name === "lists" || content);
  // Where there are only the lists, they are shown only to those who want them.
  const first = tabs.length > 1 ? tabs[0]![0] : null;
  const current = tabs.some(([name]) => name === values.tab) ? values.tab : first;
  return (
    <div class="stack details">
      <Tabs
        label="Details"
        tabs={tabs.map(([name]) => [name, LABELS[name]])}
        current={current}
        onChange={onTab}
        prefix="detail-tab-"
        panelOf={(name) => `detail-${name}`}
      />
      {tabs.map(([name, content]) => (
        <div
          key={name}
          class="stack detail"
          role="tabpanel"
          id={`detail-${name}`}
          aria-labelledby={`detail-tab-${name}`}
          hidden={name !== current}
        >
          {content}
        </div>
      ))}
    </div>
  );
}
