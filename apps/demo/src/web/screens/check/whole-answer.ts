import {
  DISGUISED,
  hostInSentence,
  shortHost,
  UNEXPECTED,
  type UrlSummary,
  urlSummary,
} from "@x/explain";
import type { InnerUrl } from "@x/links/unwrap";
import type { Pasted } from "../../hooks/use-pasted.ts";
import type { ShownLink } from "../../model/link-check.ts";
import {
  type Known,
  kindOf,
  type MeantAnswer,
  plainAnswer,
  type ShownAnswer,
} from "./plain-answer.ts";

const MISLEADING = "Do not open it, unless it is in a newsletter that you expect.";
const NO_LINK = "Only links are checked: a message without a link can be a scam, too.";

/** The answer about a text and the URLs inside it. */
export function wholeAnswer(
  asked: Pick<Pasted, "result" | "only" | "isSearching" | "isLinkless">,
  known: Known,
): ShownAnswer {
  const answer = withAndroid(answerWithInside(asked, known));
  const misleads = asked.only?.misleads ?? null;
  return misleads === null || !answer.isLink ? answer : misleadingAnswer(answer, misleads, known);
}

/** The answer about a link whose text shows another host. It stands out as much as an answer about a disguised URL. */
function misleadingAnswer(
  answer: ShownAnswer,
  { shows, opens, message }: NonNullable<ShownLink["misleads"]>,
  known: Known,
): ShownAnswer {
  const sentence = `Shows ${shortHost(shows)}. Opens ${hostInSentence(opens, known)}.`;
  const { kind, facts, meant } = answer;
  // The advice on a link that is itself disguised is sterner.
  const own = (meant ?? answer).kind;
  if (own === "listed" || own === "suspect") return { ...answer, sentence, misleads: message };
  // Newsletters show the names of their senders, but forgeries show those of well-known sites.
  const advice = known.imitations?.isWellKnown(shows) ? DISGUISED : MISLEADING;
  const loud = { kind: "suspect", badge: "Disguised" };
  const isClear = own === "clear";
  // The first fact says that the verdict proves nothing.
  const others = isClear ? facts.slice(1) : facts;
  return {
    ...answer,
    ...(kind === "clear" ? loud : {}),
    sentence,
    misleads: message,
    facts: [advice, ...others],
    meant: meant && { ...meant, ...(isClear ? loud : {}), advice },
  };
}

function answerWithInside(
  asked: Pick<Pasted, "result" | "isSearching" | "isLinkless">,
  { doubts, ...sites }: Known,
): ShownAnswer {
  const { explained, meant, restored, inner, closedBy, mayHaveMore } = asked.result;
  const told = { doubts, hasUnseen: mayHaveMore || closedBy !== null, ...sites };
  const answer = plainAnswer(asked, told);
  // Nothing is known yet.
  if (explained === null || answer.sentence === "") return answer;
  if (asked.isLinkless && answer.textKind === "unknown") {
    const sentence = "There is no link in this text.";
    return { ...answer, textKind: "no-link", badge: "No link", sentence, facts: [NO_LINK] };
  }
  if (closedBy !== null) {
    const sentence = `Wrapped by ${closedBy}. Only ${closedBy} knows where it leads.`;
    // The sentence says already that nobody else knows.
    const [own = "", ...facts] = answer.facts;
    return { ...answer, sentence, facts: [answer.kind === "doubt" ? UNEXPECTED : own, ...facts] };
  }
  const about = (url: string, action: string, inside: UrlSummary): MeantAnswer => {
    const { badge, facts } = inside;
    return { kind: kindOf(inside), badge, url, action, advice: facts[0]! };
  };
  if (inner !== null) {
    const { url } = inner.found;
    const inside = urlSummary(url, inner.explained, told);
    const isClear = answer.kind === "clear";
    const itself = isClear ? [] : [`The link itself: ${answer.badge.toLowerCase()}.`];
    const facts = [...itself, ...inside.facts];
    const meant = about(url, "Check only this link", inside);
    const sentence = innerSentence(inner.found, inside);
    const { caveat } = inside;
    return { ...answer, sentence, facts, caveat, meant, hostPart: hostPartOf(inner.found, inside) };
  }
  if (meant === null || restored === null) return answer;
  const inside = urlSummary(meant, restored, told);
  const { facts, caveat } = inside;
  return { ...answer, facts, caveat, meant: about(meant, "Check only this link", inside) };
}

/** Says who opens a link to an app, which browsers on computers do not open. */
function withAndroid(answer: ShownAnswer): ShownAnswer {
  const [advice, ...facts] = answer.facts;
  if (answer.textKind !== "app-link" || advice === undefined) return answer;
  const android = "Phones with Android open it, in an app or in the browser.";
  return { ...answer, facts: [advice, android, ...facts] };
}

/** The role, the label and the note for the host of a wrapped link. */
function hostPartOf(
  { wrapperKind, certainty }: InnerUrl,
  { host }: UrlSummary,
): ShownAnswer["hostPart"] {
  if (wrapperKind !== "service" || certainty === "hint" || host === null) return undefined;
  const note = `The browser goes here first, and is sent on to ${shortHost(host)}.`;
  return { role: "other", label: "browser goes here first", note };
}

/** All wrappers around a URL, the outermost first. */
function wrappersOf(inner: InnerUrl | null): readonly string[] {
  if (inner === null) return [];
  const { wrapper, inside } = inner;
  return [...wrappersOf(inside), ...(wrapper === null ? [] : [wrapper])];
}

function innerSentence(found: InnerUrl, { sentence }: UrlSummary): string {
  const { wrapper, wrapperKind, certainty } = found;
  const rest = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (wrapper === null) return `There is another link in this one. It ${rest}`;
  if (wrapperKind === "scheme") return `The link inside this “${wrapper}:” link ${rest}`;
  if (certainty === "hint")
    return `Wrapped by ${wrapper}, which shows only the host of the link inside. It ${rest}`;
  return `Wrapped by ${wrappersOf(found).join(", then by ")}. The link inside ${rest}`;
}
