import { type SiteOptions, type UrlPart, type UrlSummary, urlSummary } from "@x/explain";
import type { Lists } from "../../hooks/use-lists.ts";
import type { Pasted } from "../../hooks/use-pasted.ts";
import { VERDICT_CLASSES } from "../../model/verdicts.ts";

/** The answer about a URL other than the text itself: one that a defanged text stands for, or one inside a link. */
export interface MeantAnswer extends Pick<UrlSummary, "badge"> {
  readonly kind: string;
  readonly url: string;
  readonly advice: string;
  readonly action: string;
}

export interface ShownAnswer
  extends Pick<UrlSummary, "textKind" | "badge" | "sentence" | "facts" | "caveat"> {
  readonly isLink: boolean;
  readonly kind: string;
  readonly meant: MeantAnswer | null;
  /** How the text around the link misleads, in one sentence; not set if it does not. */
  readonly misleads?: string;
  /** The role, the label and the note for the host of the link, if it leads on to another host. */
  readonly hostPart?: Pick<UrlPart, "role" | "label" | "note"> | undefined;
}

/** Facts that do not come from the text. The functions of `SiteOptions` are left out while they are loading. */
export interface Known extends Pick<Lists, "doubts">, SiteOptions {
  /** Whether URLs inside the text may not have been looked up. */
  readonly hasUnseen?: boolean;
}

/**
 * The answer about the text itself, without the URLs inside it, which the page shows until the whole answer is ready.
 */
export function plainAnswer(
  { result, isSearching }: Pick<Pasted, "result" | "isSearching">,
  known: Known,
): ShownAnswer {
  const { input, explained, looksLike, meant, restored } = result;
  const no = { textKind: "url", isLink: false, meant: null } as const;
  const none = { ...no, kind: "none", sentence: "", facts: [], caveat: null };
  if (isSearching) return { ...none, badge: "Looking for links …" };
  const isUnread = explained === null && !result.isComplete;
  if (explained === null && !isUnread) return { ...none, badge: "" };
  if (
    explained === null ||
    (!result.isComplete && !("error" in explained) && explained.listed === null)
  ) {
    const facts = ["The verdict will appear when they are loaded."];
    return { ...none, badge: "Loading the lists …", facts };
  }
  const summary = urlSummary(input, explained, { ...known, looksLike, meant, restored });
  const isLink = summary.verdict !== "not-a-url";
  return { ...summary, kind: kindOf(summary), isLink, meant: null };
}

/** The CSS class of a verdict. Texts that mislead or harm stand out as much as listed URLs. */
export function kindOf({ verdict, textKind, isDisguised }: UrlSummary): string {
  const isSuspect = textKind === "harmful" || (isDisguised && verdict === "not-listed");
  return isSuspect ? "suspect" : VERDICT_CLASSES[verdict];
}

/** The advice of an answer, and the other facts about its link. */
export function factsOf({ facts, meant }: Pick<ShownAnswer, "facts" | "meant">): readonly string[] {
  return meant === null ? facts : [meant.advice, ...facts.filter((fact) => fact !== meant.advice)];
}

/** The title of the page for an answer. It does not name the host, because the browser's history keeps titles. */
export function titleOf({ badge, meant }: ShownAnswer): string {
  return meant?.badge ?? badge;
}
