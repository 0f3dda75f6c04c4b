import { annotateUrl, type SiteOptions } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { Unbroken } from "../../components/unbroken.tsx";
import type { ListsInUse } from "../../hooks/use-lists-in-use.ts";
import type { UrlResult } from "../../model/url-result.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";
import { type ShownAnswer, titleOf } from "./plain-answer.ts";

interface AnswerCardProps {
  readonly result: UrlResult;
  readonly answer: ShownAnswer;
  readonly inUse: Pick<ListsInUse, "all" | "exampleNote">;
  /** The functions that tell whose site a host is; `undefined` while they are loading. */
  readonly sites: SiteOptions | undefined;
  /** The link that the answer is about, if the text does not consist of the link alone. */
  readonly onlyLink: VNode | false | null;
  /** Called to use the URL that a defanged text stands for, or that is inside the link. */
  readonly onMeant: (url: string) => void;
  /** Called to open the text as a URN. */
  readonly onUrn: (urn: string) => void;
  /** Called to show the lists. */
  readonly onLists: () => void;
  /** Called to get a current list; `null` if the page does not know one. */
  readonly onCurrentList: (() => void) | null;
  /** The next steps for the user; `null` while they are loading. */
  readonly nextSteps: VNode | null;
}

const LONGEST_SAID = 100;

/** The text that screen readers announce: the verdict, its URL, and the reasons. */
function announcementOf({ explained }: UrlResult, answer: ShownAnswer): string {
  const verdict = titleOf(answer);
  if (explained === null || answer.sentence === "") return verdict;
  const on =
    "error" in explained || !answer.isLink ? "" : ` ${explained.canonical.slice(0, LONGEST_SAID)}.`;
  return `${verdict}:${on} ${answer.sentence} ${answer.facts.join(" ")}`;
}

interface EvidenceProps extends Pick<AnswerCardProps, "inUse" | "onLists" | "onCurrentList"> {
  readonly facts: readonly string[];
  /** Whether the lists matter to the answer. */
  readonly isLookedUp: boolean;
}

/** The evidence for the verdict. If there is only the built-in list, there is also a button that gets a better one. */
export function Evidence(props: EvidenceProps): VNode | null {
  const { facts, isLookedUp, inUse, onLists, onCurrentList } = props;
  const { all, exampleNote } = inUse;
  const note = isLookedUp ? exampleNote : null;
  if (facts.length === 0 && note === null) return null;
  return (
    <p class="evidence">
      <Unbroken text={printableInShort(facts.join(" "))} />
      {note !== null && ` ${note} `}
      {note !== null && all?.length === 1 && (
        <button type="button" class="link" onClick={onCurrentList ?? onLists}>
          {onCurrentList === null ? "Add a current list" : "Get the current list"}
        </button>
      )}
    </p>
  );
}

/**
 * The answer, with the most important facts first: the verdict and advice, the destination, the parts of the URL, and
 * the evidence.
 */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { result, answer, sites, onlyLink, onMeant, onUrn, nextSteps } = props;
  const { input, explained } = result;
  const { sentence, isUrn, isLink, meant } = answer;
  const { kind, badge } = meant ?? answer;
  const [advice = "", ...facts] =
    meant === null
      ? answer.facts
      : [meant.advice, ...answer.facts.filter((fact) => fact !== meant.advice)];
  const isLookedUp = isLink && explained !== null && (meant !== null || !("error" in explained));
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
  return (
    <section class={`stack answer ${kind}`} aria-label="Answer">
      <Announcement text={printableInShort(announcementOf(result, answer))} />
      <p class={`row verdict ${kind}`}>
        <strong class="badge">{badge}</strong> <span>{printableInShort(advice)}</span>
      </p>
      {sentence !== "" && (
        <h2 class="sentence">
          <Unbroken text={printableInShort(sentence)} />
        </h2>
      )}
      {onlyLink}
      {meant !== null && (
        <p class="row">
          <Data text={meant.url} limit={200} />
          <button type="button" onClick={() => onMeant(meant.url)}>
            {meant.action}
          </button>
        </p>
      )}
      {isUrn && (
        <p class="row">
          <button type="button" class="primary" onClick={() => onUrn(input.trim())}>
            Open as a URN
          </button>
        </p>
      )}
      {parts.length > 0 && <AnnotatedUrl parts={parts} />}
      <Evidence {...props} facts={facts} isLookedUp={isLookedUp} />
      {isLink && nextSteps}
    </section>
  );
}
