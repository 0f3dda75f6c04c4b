import { annotateUrl, type UrlSummary, urlSummary } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
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
  /** Sentences that say which lists are missing or out of date. */
  readonly doubts: readonly string[];
  /** Called to use the URL that a defanged text stands for. */
  readonly onMeant: (url: string) => void;
  /** Called to open the text as a URN. */
  readonly onUrn: (urn: string) => void;
  /** A sentence that says that the built-in list is only an example; `null` if that list is not in use. */
  readonly exampleNote: string | null;
  /** The buttons that copy a report; `null` while they are loading. */
  readonly report: VNode | null;
}

interface Answer extends Pick<UrlSummary, "badge" | "sentence" | "facts" | "isUrn"> {
  /** The CSS class of the verdict. */
  readonly kind: string;
  /** The answer about the URL that a defanged text stands for; `null` for any other text. */
  readonly restored: (Pick<Answer, "kind" | "badge"> & { readonly advice: string }) | null;
}

const LONGEST_SAID = 100;

/** The answer on the first screen. */
export function answerTo({
  result: { input, explained, looksLike, meant, restored },
  isLoading,
  doubts,
}: Pick<AnswerCardProps, "result" | "isLoading" | "doubts">): Answer {
  const none = { kind: "none", sentence: "", isUrn: false, restored: null };
  if (explained === null) {
    return { ...none, badge: "No URL yet", facts: ["Paste a URL above, or try an example."] };
  }
  if (isLoading && !("error" in explained) && explained.listed === null) {
    const facts = ["The verdict will appear when they are loaded."];
    return { ...none, badge: "Loading the lists …", facts };
  }
  const summary = urlSummary(input, explained, { doubts, looksLike, meant, restored });
  const kind = kindOf(summary);
  if (meant === null || restored === null) return { ...summary, kind, restored: null };
  const inner = urlSummary(meant, restored, { doubts });
  const advice = inner.facts[0]!;
  return { ...summary, kind, restored: { kind: kindOf(inner), badge: inner.badge, advice } };
}

/** The CSS class of a verdict. A disguised URL stands out more than other URLs that are not listed. */
function kindOf({ verdict, isDisguised }: UrlSummary): string {
  return isDisguised && verdict === "not-listed" ? "suspect" : SUMMARY_CLASSES[verdict];
}

/** The title of the page for an answer. It does not name the host, because the browser's history keeps titles. */
export function titleOf({ badge, restored }: Answer): string {
  return restored?.badge ?? badge;
}

/** What screen readers announce: the verdict, the URL that it is about, and the reasons. */
function announcementOf({ explained }: UrlResult, answer: Answer): string {
  const verdict = titleOf(answer);
  if (explained === null) return verdict;
  const on = "error" in explained ? "" : ` ${explained.canonical.slice(0, LONGEST_SAID)}.`;
  return `${verdict}:${on} ${answer.sentence} ${answer.facts.join(" ")}`;
}

/** Words with a dot in them, such as hosts, and dates. */
const NAMES = /([^\s,]+\.[^\s,]*[^\s,.]|\d{4}-\d\d-\d\d)/;

/** A text in which a name is broken only if it does not fit on a line. */
function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(NAMES).map((piece, i) =>
        i % 2 === 1 ? (
          <span key={i} class="name">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  );
}

/** The answer: one sentence, one badge, and the URL part by part. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { result, onMeant, onUrn, exampleNote, report } = props;
  const { input, explained, meant } = result;
  const answer = answerTo(props);
  const { kind, badge, sentence, facts, isUrn, restored } = answer;
  // The advice on a restored URL is shown beside the badge for that URL.
  const [first = "", ...others] = facts.filter((fact) => fact !== restored?.advice);
  const isLookedUp = explained !== null && (restored !== null || !("error" in explained));
  if (exampleNote !== null && isLookedUp && sentence !== "") others.push(exampleNote);
  const parts = useMemo(
    () => (explained === null || "error" in explained ? [] : annotateUrl(input, explained)),
    [input, explained],
  );
  return (
    <section class={`stack answer ${restored?.kind ?? kind}`} aria-label="Answer">
      <Announcement text={printableInShort(announcementOf(result, answer))} />
      {sentence !== "" && (
        <h2 class="sentence">
          <Unbroken text={printableInShort(sentence)} />
        </h2>
      )}
      {restored !== null && (
        <p class={`badge-line ${restored.kind}`}>
          <strong class="badge">{restored.badge}</strong>{" "}
          <span>{printableInShort(restored.advice)}</span>
        </p>
      )}
      {meant !== null && (
        <p class="row">
          <Data text={meant} limit={200} />
          <button type="button" class="primary" onClick={() => onMeant(meant)}>
            Show the restored URL
          </button>
        </p>
      )}
      <div class={`stack verdict ${kind}`}>
        {/* This badge is quiet when there is one for a restored URL, whose verdict matters more. */}
        <p class="badge-line">
          <strong class={restored === null ? "badge" : "badge quiet"}>{badge}</strong>{" "}
          <span>{printableInShort(first)}</span>
        </p>
        {others.length > 0 && (
          <ul class="basis" aria-label="What this is based on">
            {others.map((fact) => (
              <li key={fact}>
                <Unbroken text={printableInShort(fact)} />
              </li>
            ))}
          </ul>
        )}
      </div>
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
