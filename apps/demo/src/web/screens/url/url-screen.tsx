import { explainUrl, foreignRefusal, type Refusal, type UrlExplanation } from "@x/explain";
import { foreignText, refang } from "@x/list-source";
import type { VNode } from "preact";
import { useId, useMemo } from "preact/hooks";
import { CopyButton } from "../../components/copy-button.tsx";
import { Examples } from "../../components/examples.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { TextBox } from "../../components/text-box.tsx";
import { fieldsOf, type SetValues } from "../../hooks/use-linked-state.ts";
import { type LoadedList, splitLists } from "../../hooks/use-lists.ts";
import { useSettled } from "../../hooks/use-settled.ts";
import type { Values } from "../../model/screens.ts";
import { AnswerCard } from "./answer-card.tsx";
import { URL_EXAMPLES } from "./examples.ts";
import { ExpressionsPanel } from "./expressions-panel.tsx";
import { HashedUris } from "./hashed-uris.tsx";
import { Leaving } from "./leaving.tsx";
import { CanonicalParts } from "./parts.tsx";
import { Readings } from "./readings.tsx";
import { Steps } from "./steps.tsx";

interface UrlScreenProps {
  readonly values: Values<"url">;
  readonly set: SetValues<"url">;
  /** `null` while they are loading. */
  readonly lists: readonly LoadedList[] | null;
  /** Sentences that say why lists are missing. */
  readonly doubts: readonly string[];
  readonly listPanel: VNode;
}

function readingLead({ reading, opened }: UrlExplanation): string {
  if (reading === "both" && opened !== false) return "Browsers read this text in the same way.";
  if (reading === "browser")
    return "This is how the specification reads the URL that a browser opens.";
  const browsers =
    opened === false ? "Browsers do not open it." : "Browsers may read it differently.";
  return `This is how the specification reads the text. ${browsers}`;
}

interface Result {
  readonly explained: UrlExplanation | Refusal;
  /** What a text that is not listed looks like instead of a URL, in words; otherwise `null`. */
  readonly looksLike: string | null;
}

/** The same result that the command gives: a text that looks like something else is refused, unless it is listed. */
function resultFor(
  input: string,
  lists: readonly LoadedList[] | null,
  prefixBytes: number,
): Result | null {
  if (input === "") return null;
  const { lists: blocking, safeLists } = splitLists(lists ?? []);
  const explained = explainUrl(input, blocking, { prefixBytes, safeLists });
  const isListed = "listed" in explained && explained.listed === true;
  // Once the lists are loaded, it may be listed.
  const recognized = isListed || lists === null ? null : foreignText(input);
  if (recognized === null) return { explained, looksLike: null };
  const refusal = foreignRefusal(input, recognized, "a URL");
  return { explained: refusal, looksLike: recognized.found };
}

/** The URL that a defanged text stands for; `null` for any other text. */
function meantBy(input: string): string | null {
  const meant = refang(input);
  return meant === input || foreignText(meant) !== null ? null : meant;
}

/** One URL, from the typed text to the verdict. */
export function UrlScreen({ values, set, lists, doubts, listPanel }: UrlScreenProps): VNode {
  const input = useSettled(values.u);
  const { bytes } = values;
  const result = useMemo(() => resultFor(input, lists, bytes), [input, lists, bytes]);
  const { explained: answer = null, looksLike = null } = result ?? {};
  const error = answer !== null && "error" in answer ? answer.error : null;
  const explained = answer === null || "error" in answer ? null : answer;
  const field = fieldsOf(values, set);
  const errorId = useId();
  return (
    <>
      <div class="stack entry">
        <Examples examples={URL_EXAMPLES} onChoose={field("u").onChange} />
        <TextBox
          label="URL"
          {...field("u")}
          rows={2}
          isWrapped
          errorId={error === null ? undefined : errorId}
        />
      </div>
      <AnswerCard
        explained={answer}
        looksLike={looksLike}
        meant={meantBy(input)}
        onMeant={field("u").onChange}
        isLoading={lists === null}
        doubts={doubts}
      />
      {explained !== null && (
        <>
          <Readings explained={explained} />
          <Panel
            title="Canonical URL"
            lead={readingLead(explained)}
            actions={<CopyButton text={() => explained.canonical} what="the canonical URL" />}
          >
            <CanonicalParts url={explained} />
          </Panel>
          <ExpressionsPanel
            explained={explained}
            prefixBytes={bytes}
            onPrefixBytes={field("bytes").onChange}
          />
        </>
      )}
      {error !== null && (
        <Panel
          title={
            error.code === "host-undecided" ? "Why there is no verdict" : "Why this is not a URL"
          }
        >
          <Problem error={error} input={input} id={errorId} />
        </Panel>
      )}
      {explained !== null && (
        <Steps
          input={explained.refused === null ? input : explained.browser!.opens}
          steps={explained.steps}
        />
      )}
      {/* The lists stay where they are, so that a field in them keeps its focus while someone types. */}
      <div class="columns" key="lists">
        <div class="stack column">{listPanel}</div>
        <div class="stack column">
          {explained !== null && <Leaving input={input} explained={explained} />}
        </div>
      </div>
      {explained !== null && <HashedUris uri={input} />}
    </>
  );
}
