import { annotateUrl, type UrlSummary, urlSummary } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import type { RegistrableDomain } from "@x/expressions";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Announcement } from "../../components/announcement.tsx";
import { Data } from "../../components/data.tsx";
import { Unbroken } from "../../components/unbroken.tsx";
import type { ListsInUse } from "../../hooks/use-lists-in-use.ts";
import type { InnerResult, UrlResult } from "../../model/url-result.ts";
import { SUMMARY_CLASSES } from "../../model/verdict-classes.ts";
import { AnnotatedUrl } from "./annotated-url.tsx";
import type { Pasted } from "./use-pasted.ts";

interface AnswerCardProps {
  readonly result: UrlResult;
  readonly answer: ShownAnswer;
  readonly inUse: Pick<ListsInUse, "all" | "exampleNote">;
  /** Returns the registrable domain of a host; left out while it is loading. */
  readonly registrableDomain: RegistrableDomain | undefined;
  /** Which link the answer is about, if the text has more than the link. */
  readonly onlyLink: VNode | null;
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

export interface ShownAnswer extends Pick<UrlSummary, "badge" | "sentence" | "facts" | "isUrn"> {
  /** Whether it is about a link to a site. */
  readonly isLink: boolean;
  /** The CSS class of the verdict. */
  readonly kind: string;
  readonly meant: MeantAnswer | null;
}

const LONGEST_SAID = 100;

/** What is known apart from the text. */
type Known = Pick<ListsInUse, "doubts"> & Partial<Pick<AnswerCardProps, "registrableDomain">>;

/** The answer on the first screen. */
export function answerTo({
  result,
  isSearching,
  isLinkless,
  doubts: known,
  registrableDomain,
}: Pick<Pasted, "result" | "isSearching" | "isLinkless"> & Known): ShownAnswer {
  const { input, explained, looksLike, meant, restored, inner, closedBy, mayHaveMore } = result;
  const none = { kind: "none", sentence: "", isUrn: false, isLink: false, meant: null };
  const unseen = [
    ...(mayHaveMore ? ["It may have links inside that were not looked at."] : []),
    ...(closedBy === null ? [] : ["The link inside was not checked."]),
  ];
  const told = { doubts: [...known, ...unseen], registrableDomain };
  if (isSearching) return { ...none, badge: "Looking for links …", facts: [] };
  if (explained === null) return { ...none, badge: "", facts: [] };
  if (!result.isComplete && !("error" in explained) && explained.listed === null) {
    const facts = ["The verdict will appear when they are loaded."];
    return { ...none, badge: "Loading the lists …", facts };
  }
  const summary = urlSummary(input, explained, { ...told, looksLike, meant, restored });
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
    const inside = urlSummary(inner.url, inner.explained, told);
    const itself = kind === "clear" ? [] : [`The link itself: ${summary.badge.toLowerCase()}.`];
    const facts = [...itself, ...inside.facts];
    const meant = about(inner.url, "Show the link inside", inside);
    return { ...summary, kind, isLink, sentence: innerSentence(inner, inside), facts, meant };
  }
  if (meant === null || restored === null) return { ...summary, kind, isLink, meant: null };
  const inside = urlSummary(meant, restored, told);
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
  const { result, answer, registrableDomain, onlyLink, onMeant, onUrn, nextSteps } = props;
  const { input, explained } = result;
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
