import { shortHost, type UrlSummary, unicodeHost, urlSummary } from "@x/explain";
import type { InnerUrl } from "@x/lookup";
import type { Pasted } from "../../hooks/use-pasted.ts";
import type { ShownLink } from "../../model/link-check.ts";
import type { InnerResult } from "../../model/url-result.ts";
import {
  type Known,
  kindOf,
  type MeantAnswer,
  plainAnswer,
  type ShownAnswer,
} from "./plain-answer.ts";

const UNSEEN = "It may have links inside that were not looked at.";
const MISLEADING =
  "Do not open it if you did not expect it: text that shows another site is typical of phishing. Newsletters that count clicks do it, too.";

/** The answer about a text and the URLs inside it. */
export function wholeAnswer(
  asked: Pick<Pasted, "result" | "only" | "isSearching" | "isLinkless">,
  known: Known,
): ShownAnswer {
  const answer = withAndroid(withUnicode(answerWithInside(asked, known)), asked.result.input);
  const misleads = asked.only?.misleads ?? null;
  return misleads === null || !answer.isLink ? answer : misleadingAnswer(answer, misleads);
}

/** The answer about a link whose text shows another host. It stands out as much as an answer about a disguised URL. */
function misleadingAnswer(
  answer: ShownAnswer,
  { shows, opens }: NonNullable<ShownLink["misleads"]>,
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
  const { input, explained, meant, restored, inner, closedBy, mayHaveMore } = asked.result;
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
  if (/^\s*hashed:/i.test(input) && !answer.isLink) {
    const sentence = "This is a hashed URI, not a link.";
    return { ...answer, badge: "Not a web link", sentence, facts: [] };
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
    const sentence = innerSentence(inner, inside);
    return { ...answer, sentence, facts, meant, hostPart: hostPartOf(inner, inside) };
  }
  if (mayHaveMore && answer.kind === "doubt") {
    // The URL itself is not listed, but a URL inside it may be.
    const sentence = `${answer.sentence.replace(", which may be listed", "")} ${UNSEEN}`;
    return { ...answer, sentence, facts: answer.facts.filter((fact) => fact !== UNSEEN) };
  }
  if (meant === null || restored === null) return answer;
  const inside = urlSummary(meant, restored, told);
  const { facts } = inside;
  const isSpaced = input.replace(/\s+/g, "") === meant;
  const sentence = isSpaced
    ? answer.sentence.replace("Defanged.", "Written with spaces.")
    : answer.sentence;
  return { ...answer, sentence, facts, meant: about(meant, "Show the restored URL", inside) };
}

function isUnlisted({ kind }: ShownAnswer): boolean {
  return kind !== "listed" && kind !== "suspect";
}

/** Says that Android opens links to apps, which browsers on computers do not open. */
function withAndroid(answer: ShownAnswer, input: string): ShownAnswer {
  if (!/^\s*(?:intent|android-app):/i.test(input)) return answer;
  const { facts, sentence } = answer;
  const own = sentence.replace(" Browsers do not open this text.", "");
  const android = "Phones with Android open it, in an app or in the browser.";
  return { ...answer, sentence: own, facts: [...facts.slice(0, 1), android, ...facts.slice(1)] };
}

/** Adds the host in its own letters, if nobody can mistake them for others. */
function withUnicode(answer: ShownAnswer): ShownAnswer {
  const { host, sentence } = answer;
  const letters = host === null ? null : unicodeHost(host);
  if (letters === null || !isUnlisted(answer)) return answer;
  return { ...answer, sentence: sentence.replace(host!, `${host} (${letters})`) };
}

/** The label and the note for the host of a wrapped link. */
function hostPartOf(
  { wrapper, isHint }: InnerResult,
  { host }: UrlSummary,
): ShownAnswer["hostPart"] {
  if (wrapper === null || isHint || host === null) return undefined;
  const note = `The browser goes here first, and is sent on to ${shortHost(host)}.`;
  return { label: "browser goes here first", note };
}

/** All wrappers around a URL, the outermost first. */
function wrappersOf(inner: InnerUrl | null): readonly string[] {
  if (inner === null) return [];
  const { wrapper, inside } = inner;
  return [...wrappersOf(inside), ...(wrapper === null ? [] : [wrapper])];
}

function innerSentence({ wrapper, isHint, found }: InnerResult, { sentence }: UrlSummary): string {
  const rest = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (wrapper === null) return `There is another link in this one. It ${rest}`;
  if (isHint)
    return `Wrapped by ${wrapper}, which shows only the host of the link inside. It ${rest}`;
  return `Wrapped by ${wrappersOf(found).join(", then by ")}. The link inside ${rest}`;
}
