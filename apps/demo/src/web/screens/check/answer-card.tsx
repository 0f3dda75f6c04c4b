import { annotateUrl, type SiteOptions } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/answered.tsx";
import { Data, Unbroken } from "../../components/data.tsx";
import type { UrlResult } from "../../model/url-result.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";
import { factsOf, type ShownAnswer, titleOf } from "./plain-answer.ts";

interface AnswerCardProps {
  readonly result: UrlResult;
  readonly answer: ShownAnswer;
  /** The functions that tell whose site a host is; `undefined` while they are loading. */
  readonly sites: SiteOptions | undefined;
  /** Called to use the URL that a defanged text stands for, or that is inside the link. */
  readonly onMeant: (url: string) => void;
  /** Called to open the text in a tool. */
  readonly onTool: (name: "urn" | "hashed") => void;
  /** The next steps for the user; `null` while they are loading. */
  readonly nextSteps: VNode | null;
  /** A button that gets a newer list, after the reason for a link that it may have. */
  readonly newerList: VNode | null;
  /** What to say about the text around the link. */
  readonly children: ComponentChildren;
}

const LONGEST_SAID = 100;
const BETWEEN_SENTENCES = /(?<=\.) (?=[A-Z])/;

/** The text that screen readers announce: the verdict, its URL, and the reasons. */
function announcementOf({ explained }: UrlResult, answer: ShownAnswer): string {
  const verdict = titleOf(answer);
  if (explained === null || answer.sentence === "") return verdict;
  const on =
    "error" in explained || !answer.isLink ? "" : ` ${explained.canonical.slice(0, LONGEST_SAID)}.`;
  return `${verdict}:${on} ${answer.sentence} ${factsOf(answer).join(" ")}`;
}

/** The answer: the verdict and advice, a sentence, the link with its disguise marked, and the reason. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { result, answer, sites, children, onMeant, onTool, nextSteps, newerList } = props;
  const { input, explained } = result;
  const { sentence, textKind, isLink, meant } = answer;
  const { kind, badge } = meant ?? answer;
  const [advice = "", ...facts] = factsOf(answer);
  const annotated = useMemo(
    () =>
      explained === null || "error" in explained || !isLink
        ? []
        : annotateUrl(input, explained, sites),
    [input, explained, isLink, sites],
  );
  const parts = annotated.map((part) =>
    part.role === "host" ? { ...part, ...answer.hostPart } : part,
  );
  const reason = facts.join(" ");
  // A newer list would change nothing about other links.
  const isCalm = parts.length > 0 && (kind === "clear" || kind === "doubt");
  // The link that the browser ends at is drawn like a typed one.
  const end = answer.hostPart ? result.inner!.explained : result.restored;
  const endParts =
    meant === null || end === null || "error" in end ? [] : annotateUrl(meant.url, end, sites);
  return (
    <section class={`stack panel answer ${kind}`} aria-label="Answer" tabIndex={-1}>
      <Announcement text={printableInShort(announcementOf(result, answer))} about={input} />
      <p class={`row verdict ${kind}`}>
        <strong class="badge">{badge}</strong> <span>{printableInShort(advice)}</span>
      </p>
      {sentence !== "" && (
        <h2 class="sentence">
          {sentence.split(BETWEEN_SENTENCES).map((one) => (
            <span key={one}>
              <Unbroken text={printableInShort(one)} />{" "}
            </span>
          ))}
        </h2>
      )}
      {children}
      {parts.length > 0 && <AnnotatedUrl parts={parts} />}
      {meant !== null && (
        <div class="row">
          {endParts.length > 0 ? (
            <AnnotatedUrl parts={endParts} />
          ) : (
            <Data text={meant.url} limit={200} />
          )}
          <button type="button" onClick={() => onMeant(meant.url)}>
            {meant.action}
          </button>
        </div>
      )}
      {(textKind === "urn" || textKind === "hashed-uri") && (
        <p class="row">
          <button type="button" onClick={() => onTool(textKind === "urn" ? "urn" : "hashed")}>
            {textKind === "urn" ? "Open as a URN" : "Open as a hashed URI"}
          </button>
        </p>
      )}
      {reason !== "" && (
        <p class="muted evidence">
          <Unbroken text={printableInShort(reason)} /> {isCalm && newerList}
        </p>
      )}
      {isLink && nextSteps}
    </section>
  );
}
