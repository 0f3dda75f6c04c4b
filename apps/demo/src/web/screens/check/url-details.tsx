import type { Refusal, UrlExplanation } from "@x/explain";
import type { ComponentChildren, VNode } from "preact";
import type { PageSettings } from "../../../page-settings.ts";
import { CopyButton } from "../../components/buttons.tsx";
import { Tabs } from "../../components/controls.tsx";
import { Data, Shortened } from "../../components/data.tsx";
import { ListsFold, Panel } from "../../components/panels.tsx";
import { Problem } from "../../components/problem.tsx";
import type { SetValues } from "../../hooks/use-linked-state.ts";
import type { Lists } from "../../hooks/use-lists.ts";
import type { DetailName, Values } from "../../model/screens.ts";
import type { UrlResult } from "../../model/url-result.ts";
import { Code } from "./code.tsx";
import { Hashes } from "./hashes.tsx";
import { HowSure } from "./how-sure.tsx";
import type { ShownAnswer } from "./plain-answer.ts";
import { Steps } from "./steps.tsx";

interface UrlDetailsProps {
  readonly result: UrlResult;
  readonly answer: ShownAnswer;
  /** Whether the answer is about several links, or the text is something else than a URL. Then only lists are shown. */
  readonly isHidden: boolean;
  /** The id of the sentence that says why the text is not a URL. */
  readonly errorId: string;
  readonly values: Values<"url">;
  readonly set: SetValues<"url">;
  readonly doubts: readonly string[];
  readonly inUse: Lists;
  readonly settings: PageSettings;
  readonly listPanel: VNode | null;
}

/** How the reading in the steps is related to the reading of browsers. */
function readingLead({ reading, opened, browser, refused }: UrlExplanation): ComponentChildren {
  if (reading === "both" && opened !== false) return "Browsers read this text in the same way.";
  if (refused !== null) {
    return "Only browsers read this text as a URL. This is how the specification reads the URL that they open.";
  }
  const start = "This is how the specification reads the text.";
  if (browser === null) return `${start} Browsers do not open it.`;
  return (
    <>
      {start} A browser opens another URL, which is looked up, too:{" "}
      <Data text={browser.opens} limit={400} />
    </>
  );
}

const LABELS: Readonly<Record<DetailName, string>> = {
  why: "Why",
  steps: "Steps",
  hashes: "Hashes",
  code: "Code",
  lists: "Lists",
};

interface WhyProps
  extends Pick<UrlDetailsProps, "errorId" | "doubts" | "answer">,
    Pick<UrlResult, "input" | "inner" | "looksLike"> {
  readonly explained: UrlExplanation | Refusal;
}

function Why(props: WhyProps): VNode {
  const { explained, input, inner, looksLike, errorId, doubts, answer } = props;
  const about = { doubts, answer };
  if (inner !== null) {
    return <HowSure {...about} explained={inner.explained} input={inner.found.url} isInner />;
  }
  if (!("error" in explained)) {
    return <HowSure {...about} explained={explained} input={input} isInner={false} />;
  }
  const { error } = explained;
  const hasHost = /^host-(?:undecided|invalid)$/.test(error.code);
  return (
    <Panel title={hasHost ? "Why there is no verdict" : "Why this is not a URL"}>
      <Problem error={error} input={input} looksLike={looksLike} id={errorId} />
    </Panel>
  );
}

interface ExplainedProps {
  readonly explained: UrlExplanation;
  readonly input: string;
}

function StepDetails({ explained, input }: ExplainedProps): VNode {
  return (
    <>
      <Panel
        title="Canonical URL"
        lead={readingLead(explained)}
        actions={<CopyButton text={() => explained.canonical} what="the canonical URL" />}
      >
        <p class="data big" dir="ltr">
          <Shortened text={explained.canonical} limit={1000} />
        </p>
      </Panel>
      <Steps
        input={explained.refused === null ? input : explained.browser!.opens}
        steps={explained.steps}
      />
    </>
  );
}

function contentsOf(props: UrlDetailsProps): readonly (readonly [DetailName, VNode | null])[] {
  const { result, listPanel } = props;
  const { input, explained, meant } = result;
  const lists = ["lists", listPanel] as const;
  // For other texts that browsers could read as URLs, details would only confuse.
  const isOther =
    explained !== null && ("error" in explained ? meant !== null : !props.answer.isLink);
  if (props.isHidden || explained === null || isOther) return [lists];
  const why = ["why", <Why {...props} {...result} explained={explained} />] as const;
  if ("error" in explained) return [why, lists];
  const about = { explained, input };
  const list = props.inUse.loaded?.find(({ isSafe }) => !isSafe);
  return [
    why,
    ["steps", <StepDetails {...about} />],
    ["hashes", <Hashes explained={explained} />],
    ["code", <Code {...about} list={list} documents={props.settings.documents} />],
    lists,
  ];
}

/** The details about a URL that are not in the answer. */
export function UrlDetails(props: UrlDetailsProps): VNode {
  const { values, set } = props;
  const showDetails = (tab: DetailName): void => set({ tab });
  const tabs = contentsOf(props);
  // If there are no other details, the lists are folded.
  if (tabs.length === 1) {
    return (
      <ListsFold tab={values.tab} onTab={showDetails}>
        {props.listPanel}
      </ListsFold>
    );
  }
  const current = tabs.some(([name]) => name === values.tab) ? values.tab : tabs[0]![0];
  return (
    <section class="stack details" aria-labelledby="how-checked">
      <h2 id="how-checked">How this was checked</h2>
      <Tabs
        label="Details"
        tabs={tabs.map(([name]) => [name, LABELS[name]])}
        current={current}
        onChange={showDetails}
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
    </section>
  );
}
