import { annotateUrl, type UrlSummary, urlSummary } from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { RegistrableDomain } from "@x/expressions";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { Unbroken } from "../../components/unbroken.tsx";
import type { ListsInUse } from "../../hooks/use-lists-in-use.ts";
import type { JudgedLink } from "../../model/find-links-in.ts";
import { shortHost } from "../../model/shorten.ts";
import type { InnerResult, UrlResult } from "../../model/url-result.ts";
import { SUMMARY_CLASSES } from "../../model/verdict-classes.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";
import type { Pasted } from "./use-pasted.ts";

interface AnswerCardProps {
  readonly pasted: Pasted;
  readonly inUse: Pick<ListsInUse, "all" | "doubts" | "exampleNote">;
  /** Returns the registrable domain of a host; left out while it is loading. */
  readonly registrableDomain: RegistrableDomain | undefined;
  /** Called to use the URL that a defanged text stands for, or that is inside the link. */
  readonly onMeant: (url: string) => void;
  /** Called to open the text as a URN. */
  readonly onUrn: (urn: string) => void;
  /** Called to show the lists. */
  readonly onLists: () => void;
  /** Called to get a current list; `null` if the page does not know one. */
  readonly onCurrentList: (() => void) | null;
  /** What to do next; `null` while it is loading. */
  readonly nextSteps: VNode | null;
}

/** The answer about a URL that is not the text itself: what a defanged text stands for, or what is inside a link. */
interface MeantAnswer extends Pick<UrlSummary, "badge"> {
  readonly kind: string;
  readonly url: string;
  readonly advice: string;
  /** The words of the button that shows it. */
  readonly action: string;
}

interface ShownAnswer extends Pick<UrlSummary, "badge" | "sentence" | "facts" | "isUrn"> {
  /** Whether it is about a link to a site. */
  readonly isLink: boolean;
  /** The CSS class of the verdict. */
  readonly kind: string;
  readonly meant: MeantAnswer | null;
}

const LONGEST_SAID = 100;
const MISLEADING = "Do not open it: text that shows another site is typical of phishing.";

/** The answer on the first screen. */
export function answerTo(
  asked: Pick<Pasted, "result" | "only" | "isSearching" | "isLinkless"> &
    Pick<ListsInUse, "doubts">,
): ShownAnswer {
  const answer = answerAboutLink(asked);
  const misleads = asked.only?.misleads ?? null;
  return misleads === null || !answer.isLink ? answer : misleadingAnswer(answer, misleads);
}

/** The answer about a link whose text shows another host. It is as loud as that about a disguised URL. */
function misleadingAnswer(
  answer: ShownAnswer,
  { shows, opens }: NonNullable<JudgedLink["misleads"]>,
): ShownAnswer {
  const sentence = `Shows ${shortHost(shows)}. Opens ${shortHost(opens)}.`;
  const { kind, facts, meant } = answer;
  if ((meant ?? answer).kind === "listed") return { ...answer, sentence };
  const loud = { kind: "suspect", badge: "Disguised" };
  const isClear = (meant ?? answer).kind === "clear";
  // The first fact says that the verdict proves nothing.
  const others = isClear ? facts.slice(1) : facts;
  return {
    ...answer,
    ...(kind === "clear" ? loud : {}),
    sentence,
    facts: [MISLEADING, ...others],
    meant: meant && { ...meant, ...(isClear ? loud : {}), advice: MISLEADING },
  };
}

function answerAboutLink({
  result,
  isSearching,
  isLinkless,
  doubts: known,
}: Pick<Pasted, "result" | "isSearching" | "isLinkless"> &
  Pick<ListsInUse, "doubts">): ShownAnswer {
  const { input, explained, looksLike, meant, restored, inner, closedBy, mayHaveMore } = result;
  const none = { kind: "none", sentence: "", isUrn: false, isLink: false, meant: null };
  const unseen = [
    ...(mayHaveMore ? ["It may have links inside that were not looked at."] : []),
    ...(closedBy === null ? [] : ["The link inside was not checked."]),
  ];
  const doubts = [...known, ...unseen];
  if (isSearching) return { ...none, badge: "Looking for links …", facts: [] };
  if (explained === null) return { ...none, badge: "", facts: [] };
  if (!result.isComplete && !("error" in explained) && explained.listed === null) {
    const facts = ["The verdict will appear when they are loaded."];
    return { ...none, badge: "Loading the lists …", facts };
  }
  const summary = urlSummary(input, explained, { doubts, looksLike, meant, restored });
  const kind = kindOf(summary);
  const isLink = summary.verdict !== "not-a-url";
  if (isLinkless) {
    const sentence = "There is no link in this text.";
    return { ...summary, kind, isLink, badge: "No link", sentence, meant: null };
  }
  if (closedBy !== null) {
    const sentence = `Wrapped by ${closedBy}. Only ${closedBy} knows where it leads.`;
    return { ...summary, kind, isLink, sentence, meant: null };
  }
  const about = (url: string, action: string, inside: UrlSummary): MeantAnswer => {
    const { badge, facts } = inside;
    return { kind: kindOf(inside), badge, url, action, advice: facts[0]! };
  };
  if (inner !== null) {
    const inside = urlSummary(inner.url, inner.explained, { doubts });
    const itself = kind === "clear" ? [] : [`The link itself: ${summary.badge.toLowerCase()}.`];
    const facts = [...itself, ...inside.facts];
    const meant = about(inner.url, "Show the link inside", inside);
    return { ...summary, kind, isLink, sentence: innerSentence(inner, inside), facts, meant };
  }
  if (meant === null || restored === null) return { ...summary, kind, isLink, meant: null };
  const inside = urlSummary(meant, restored, { doubts });
  const { facts } = inside;
  return { ...summary, kind, isLink, facts, meant: about(meant, "Show the restored URL", inside) };
}

function innerSentence({ wrapper, isHint }: InnerResult, { sentence }: UrlSummary): string {
  const rest = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (wrapper === null) return `There is another link in this one. It ${rest}`;
  if (isHint)
    return `Wrapped by ${wrapper}, which shows only the host of the link inside. It ${rest}`;
  return `Wrapped by ${wrapper}. The link inside ${rest}`;
}

/** The CSS class of a verdict. A disguised URL stands out more than other URLs that are not listed. */
function kindOf({ verdict, isDisguised }: UrlSummary): string {
  return isDisguised && verdict === "not-listed" ? "suspect" : SUMMARY_CLASSES[verdict];
}

/** The title of the page for an answer. It does not name the host, because the browser's history keeps titles. */
export function titleOf({ badge, meant }: ShownAnswer): string {
  return meant?.badge ?? badge;
}

/** What screen readers announce: the verdict, the URL that it is about, and the reasons. */
function announcementOf({ explained }: UrlResult, answer: ShownAnswer): string {
  const verdict = titleOf(answer);
  if (explained === null || answer.sentence === "") return verdict;
  const on =
    "error" in explained || !answer.isLink ? "" : ` ${explained.canonical.slice(0, LONGEST_SAID)}.`;
  return `${verdict}:${on} ${answer.sentence} ${answer.facts.join(" ")}`;
}

interface OnlyLinkProps {
  readonly only: JudgedLink;
}

/** The link that an answer is about, if the text has more than the link. */
function OnlyLink({ only: { text, shown } }: OnlyLinkProps): VNode {
  return (
    <p class="only">
      The only link in this text: <Data text={text} limit={200} />
      {shown !== null && (
        <strong class="warning"> The text shows {printable(shown).slice(0, 80)} instead.</strong>
      )}
    </p>
  );
}

interface EvidenceProps extends Pick<AnswerCardProps, "inUse" | "onLists" | "onCurrentList"> {
  readonly facts: readonly string[];
  /** Whether the lists matter to the answer. */
  readonly isLookedUp: boolean;
}

/** What the verdict is based on, and a way to a better list if there is only the built-in one. */
function Evidence(props: EvidenceProps): VNode | null {
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

/** What matters most about a URL is at the top: the verdict and what to do, where it goes, its parts, and the evidence. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { pasted, inUse, registrableDomain, onMeant, onUrn, nextSteps } = props;
  const { result, only } = pasted;
  const { input, explained } = result;
  const answer = answerTo({ ...pasted, doubts: inUse.doubts });
  const { sentence, isUrn, isLink, meant } = answer;
  const { kind, badge } = meant ?? answer;
  const [advice = "", ...facts] =
    meant === null
      ? answer.facts
      : [meant.advice, ...answer.facts.filter((fact) => fact !== meant.advice)];
  const isLookedUp = isLink && explained !== null && (meant !== null || !("error" in explained));
  const parts = useMemo(
    () =>
      explained === null || "error" in explained || !isLink
        ? []
        : annotateUrl(input, explained, { registrableDomain }),
    [input, explained, isLink, registrableDomain],
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
      {only !== null && <OnlyLink only={only} />}
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
