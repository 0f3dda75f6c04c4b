import type { Refusal, UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { ListsFold } from "../../components/lists-fold.tsx";
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
  /** Whether there is an answer about several links instead. If so, the lists are the only details. */
  readonly isSeveral: boolean;
  /** Whether the text is a link. For other texts that browsers could read as URLs, details would only confuse. */
  readonly isLink: boolean;
  /** Whether the text is known to be something else. Then hardly anybody asks why it is not a URL. */
  readonly isOther: boolean;
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

/** Why a text has its verdict, or none. */
function Why({
  answer,
  input,
  inner,
  looksLike,
  isOther,
  errorId,
  doubts,
}: WhyProps): VNode | null {
  if (inner !== null)
    return <HowSure explained={inner.explained} inner={inner.url} doubts={doubts} />;
  if (!("error" in answer)) return <HowSure explained={answer} inner={null} doubts={doubts} />;
  const { error } = answer;
  const problem = <Problem error={error} input={input} looksLike={looksLike} id={errorId} />;
  const hasHost = /^host-(?:undecided|invalid)$/.test(error.code);
  return (
    <Panel title={hasHost ? "Why there is no verdict" : "Why this is not a URL"}>
      {isOther ? (
        <details class="in-terms">
          <summary>For developers</summary>
          {problem}
        </details>
      ) : (
        problem
      )}
    </Panel>
  );
}

interface WhyProps
  extends Pick<UrlDetailsProps, "isOther" | "errorId" | "doubts">,
    Pick<UrlResult, "input" | "inner" | "looksLike"> {
  readonly answer: UrlExplanation | Refusal;
}

interface ExplainedProps {
  readonly explained: UrlExplanation;
  readonly input: string;
}

/** The steps from the text to the canonical URL. */
function StepDetails({ explained, input }: ExplainedProps): VNode {
  return (
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
  );
}

interface HashDetailsProps
  extends ExplainedProps,
    Pick<UrlDetailsProps, "values" | "set" | "onHashed"> {}

/** The expressions of the URL, and their hashes. */
function HashDetails({ explained, input, values, set, onHashed }: HashDetailsProps): VNode {
  return (
    <>
      <ExpressionsPanel
        explained={explained}
        prefixBytes={values.bytes}
        onPrefixBytes={fieldsOf(values, set)("bytes").onChange}
      />
      <p class="row">
        <button type="button" class="link" onClick={() => onHashed(input)}>
          Hashed URIs of this URL
        </button>
        <span class="muted">follow rules of their own, from a draft of 2002.</span>
      </p>
    </>
  );
}

/** The details that exist for an answer. */
function contentsOf(props: UrlDetailsProps): readonly (readonly [DetailName, VNode | null])[] {
  const { result, isSeveral, isLink, listPanel } = props;
  const { meant } = result;
  const lists = ["lists", listPanel] as const;
  const answer = isSeveral ? null : result.explained;
  if (answer === null || ("error" in answer ? meant !== null : !isLink)) return [lists];
  const why = ["why", <Why {...props} {...result} answer={answer} />] as const;
  if ("error" in answer) return [why, lists];
  const explained = { explained: answer, input: result.input };
  return [
    why,
    ["steps", <StepDetails {...explained} />],
    ["hashes", <HashDetails {...props} {...explained} />],
    [
      "privacy",
      <>
        <Leaving {...explained} />
        <WhoLearns />
      </>,
    ],
    lists,
  ];
}

/** The details about a URL that are not in the answer. */
export function UrlDetails(props: UrlDetailsProps): VNode {
  const { values, onTab } = props;
  const tabs = contentsOf(props);
  // If there are no other details, the lists are folded.
  if (tabs.length === 1) {
    return (
      <ListsFold tab={values.tab} onTab={onTab}>
        {props.listPanel}
      </ListsFold>
    );
  }
  const current = tabs.some(([name]) => name === values.tab) ? values.tab : tabs[0]![0];
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
