import type { UrlExplanation } from "@x/explain";
import type { VNode } from "preact";
import { CopyButton } from "../../components/copy-button.tsx";
import { Details } from "../../components/details.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import type { PageList } from "../../model/page-list.ts";
import { DETAILS, type DetailName, type Values } from "../../model/screens.ts";
import type { UrlResult } from "../../model/url-result.ts";
import { ExpressionsPanel } from "./expressions-panel.tsx";
import { HashedUris } from "./hashed-uris.tsx";
import { HowSure } from "./how-sure.tsx";
import { Leaving } from "./leaving.tsx";
import { CanonicalParts } from "./parts.tsx";
import { Readings } from "./readings.tsx";
import { Steps } from "./steps.tsx";

interface UrlDetailsProps {
  readonly result: UrlResult;
  /** The id of the sentence that says why the text is not a URL. */
  readonly errorId: string;
  readonly values: Values<"url">;
  readonly set: SetValues<"url">;
  /** Called with the names of the unfolded details, separated by commas. */
  readonly onFold: (open: string) => void;
  /** `null` while they are loading. */
  readonly lists: readonly PageList[] | null;
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

function stepsTitle({ steps }: UrlExplanation): string {
  return `Steps (${steps.filter(({ changed }) => changed).length} changed)`;
}

/** Everything about one URL that is not on the first screen. */
export function UrlDetails(props: UrlDetailsProps): VNode {
  const { result, errorId, values, set, onFold, lists, doubts, listPanel } = props;
  const { input, explained: answer, meant } = result;
  const explained = answer === null || "error" in answer ? null : answer;
  const error = answer !== null && "error" in answer && meant === null ? answer.error : null;
  const open = values.open.split(",");
  const field = fieldsOf(values, set);
  const details = (name: DetailName) => ({
    key: name,
    isOpen: open.includes(name),
    onFold: (isOpen: boolean): void =>
      onFold(DETAILS.filter((one) => (one === name ? isOpen : open.includes(one))).join(",")),
  });
  return (
    <>
      {error !== null && (
        <Panel
          title={
            /^host-(?:undecided|invalid)$/.test(error.code)
              ? "Why there is no verdict"
              : "Why this is not a URL"
          }
        >
          <Problem error={error} input={input} id={errorId} />
        </Panel>
      )}
      <div class="details">
        {answer !== null && explained !== null && (
          <Details title="How sure?" {...details("how")}>
            <HowSure explained={answer} doubts={doubts} />
          </Details>
        )}
        {explained !== null && (
          <>
            <Details title={stepsTitle(explained)} {...details("steps")}>
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
            </Details>
            <Details title="Hash grid" {...details("grid")}>
              <ExpressionsPanel
                explained={explained}
                prefixBytes={values.bytes}
                onPrefixBytes={field("bytes").onChange}
              />
            </Details>
            <Details title="What an online check would send" {...details("sent")}>
              <Leaving input={input} explained={explained} />
            </Details>
          </>
        )}
        {/* The lists stay in the same place, so that a field in them keeps the focus while someone types. */}
        <Details
          title={`Lists${lists === null ? "" : ` (${lists.length})`}: add yours`}
          {...details("lists")}
        >
          {listPanel}
        </Details>
        {explained !== null && (
          <Details title="Hashed URIs" {...details("hashed")}>
            <HashedUris uri={input} />
          </Details>
        )}
      </div>
    </>
  );
}
