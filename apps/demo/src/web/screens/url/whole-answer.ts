import { type UrlSummary, urlSummary } from "@x/explain";
import type { JudgedLink } from "../../model/find-links-in.ts";
import { shortHost } from "../../model/shorten.ts";
import type { InnerResult } from "../../model/url-result.ts";
import {
  type Known,
  kindOf,
  type MeantAnswer,
  plainAnswer,
  type ShownAnswer,
} from "./plain-answer.ts";
import type { Pasted } from "./use-pasted.ts";

const UNSEEN = "It may have links inside that were not looked at.";
const MISLEADING = "Do not open it: text that shows another site is typical of phishing.";

/** The answer about a text and what is inside it. */
export function wholeAnswer(
  asked: Pick<Pasted, "result" | "only" | "isSearching" | "isLinkless">,
  known: Known,
): ShownAnswer {
  const answer = answerWithInside(asked, known);
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

function answerWithInside(
  asked: Pick<Pasted, "result" | "isSearching" | "isLinkless">,
  { doubts: known, ...sites }: Known,
): ShownAnswer {
  const { explained, meant, restored, inner, closedBy, mayHaveMore } = asked.result;
  const unseen = [
    ...(mayHaveMore ? [UNSEEN] : []),
    ...(closedBy === null ? [] : ["The link inside was not checked."]),
  ];
  const told = { doubts: [...known, ...unseen], ...sites };
  const answer = plainAnswer(asked, told);
  // Nothing is known yet.
  if (explained === null || answer.sentence === "") return answer;
  if (asked.isLinkless) {
    return { ...answer, badge: "No link", sentence: "There is no link in this text." };
  }
  if (closedBy !== null) {
    const sentence = `Wrapped by ${closedBy}. Only ${closedBy} knows where it leads.`;
    return { ...answer, sentence };
  }
  const about = (url: string, action: string, inside: UrlSummary): MeantAnswer => {
    const { badge, facts } = inside;
    return { kind: kindOf(inside), badge, url, action, advice: facts[0]! };
  };
  if (inner !== null) {
    const inside = urlSummary(inner.url, inner.explained, told);
    const isClear = answer.kind === "clear";
    const itself = isClear ? [] : [`The link itself: ${answer.badge.toLowerCase()}.`];
    const facts = [...itself, ...inside.facts];
    const meant = about(inner.url, "Show the link inside", inside);
    return { ...answer, sentence: innerSentence(inner, inside), facts, meant };
  }
  if (mayHaveMore && answer.kind === "doubt") {
    // The URL itself is not listed. Only what is inside it may be.
    const sentence = `${answer.sentence.replace(", which may be listed", "")} ${UNSEEN}`;
    return { ...answer, sentence, facts: answer.facts.filter((fact) => fact !== UNSEEN) };
  }
  if (meant === null || restored === null) return answer;
  const inside = urlSummary(meant, restored, told);
  const { facts } = inside;
  return { ...answer, facts, meant: about(meant, "Show the restored URL", inside) };
}

function innerSentence({ wrapper, isHint }: InnerResult, { sentence }: UrlSummary): string {
  const rest = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (wrapper === null) return `There is another link in this one. It ${rest}`;
  if (isHint)
    return `Wrapped by ${wrapper}, which shows only the host of the link inside. It ${rest}`;
  return `Wrapped by ${wrapper}. The link inside ${rest}`;
}
