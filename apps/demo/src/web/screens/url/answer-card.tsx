import { annotateUrl, type UrlSummary, urlSummary } from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import type { UrlResult } from "../../model/url-result.ts";
import { SUMMARY_CLASSES } from "../../model/verdict-classes.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";

interface AnswerCardProps {
  readonly result: UrlResult;
  readonly isLoading: boolean;
  /** Sentences that say why lists are missing. */
  readonly doubts: readonly string[];
  /** Called to use the URL that a defanged text stands for. */
  readonly onMeant: (url: string) => void;
  /** Called to open the text as a URN. */
  readonly onUrn: (urn: string) => void;
  /** The buttons that copy a report; `null` while they are loading. */
  readonly report: VNode | null;
}

type Answer = Pick<UrlSummary, "badge" | "sentence" | "facts" | "isUrn"> & {
  readonly kind: string;
  readonly host: string | null;
};

const LONGEST_SAID = 100;
const LONGEST_TITLE = 60;

/** The answer on the first screen. */
export function answerTo({
  result: { input, explained, looksLike, meant },
  isLoading,
  doubts,
}: Pick<AnswerCardProps, "result" | "isLoading" | "doubts">): Answer {
  if (explained === null) {
    const facts = ["Type or paste a URL above, or try an example."];
    return { kind: "none", badge: "No URL yet", sentence: "", facts, host: null, isUrn: false };
  }
  if (isLoading && !("error" in explained) && explained.listed === null) {
    const facts = ["The verdict will appear when they are loaded."];
    const badge = "Loading the lists …";
    return { kind: "none", badge, sentence: "", facts, host: null, isUrn: false };
  }
  const summary = urlSummary(input, explained, { doubts, looksLike, meant });
  const { verdict, isDisguised } = summary;
  const isSuspect = isDisguised && verdict === "not-listed";
  return { ...summary, kind: isSuspect ? "suspect" : SUMMARY_CLASSES[verdict] };
}

/** The title of the page for an answer. */
export function titleOf({ badge, host }: Answer): string {
  return printable(host === null ? badge : `${badge}: ${host.slice(0, LONGEST_TITLE)}`);
}

/** What screen readers announce: the verdict, on which URL, and why. */
function announcementOf({ explained }: UrlResult, { badge, sentence, facts }: Answer): string {
  if (explained === null) return badge;
  const on = "error" in explained ? "" : ` ${explained.canonical.slice(0, LONGEST_SAID)}.`;
  return `${badge}:${on} ${sentence} ${facts.join(". ")}`;
}

/** What a defanged text stands for, and a button that puts it in its place. */
function Meant({ url, onMeant }: { readonly url: string; readonly onMeant: () => void }): VNode {
  return (
    <p class="row meant">
      <span>
        It means <Data text={url} limit={200} />
      </span>
      <button type="button" class="primary" onClick={onMeant}>
        Turn it back and check it
      </button>
    </p>
  );
}

/** The answer: one sentence, one badge, and the URL part by part. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { result, onMeant, onUrn, report } = props;
  const { input, explained, meant } = result;
  const answer = answerTo(props);
  const { kind, badge, sentence, facts, isUrn } = answer;
  const parts = useMemo(
    () => (explained === null || "error" in explained ? [] : annotateUrl(input, explained)),
    [input, explained],
  );
  return (
    <section class={`stack answer ${kind}`} aria-label="Answer">
      <Announcement text={printableInShort(announcementOf(result, answer))} />
      {sentence !== "" && <h2 class="sentence">{printableInShort(sentence)}</h2>}
      <p class={`row verdict ${kind}`}>
        <strong class="badge">{badge}</strong>
        <span class="row basis">
          {facts.map((fact) => (
            <span key={fact}>{printableInShort(fact)}</span>
          ))}
        </span>
      </p>
      {meant !== null && <Meant url={meant} onMeant={() => onMeant(meant)} />}
      {isUrn && (
        <p class="row">
          <button type="button" class="primary" onClick={() => onUrn(input.trim())}>
            Open as a URN
          </button>
        </p>
      )}
      {parts.length > 0 && <AnnotatedUrl parts={parts} />}
      {sentence !== "" && report}
    </section>
  );
}
