import { explainUrl, foreignRefusal, type Refusal, type UrlExplanation } from "@x/explain";
import type { PrefixList } from "@x/prefix-list";

/** What is known about the typed URL. */
export interface UrlResult {
  readonly input: string;
  /** `null` when no URL is typed. */
  readonly explained: UrlExplanation | Refusal | null;
  /** What a text that is not listed looks like instead of a URL, in words; otherwise `null`. */
  readonly looksLike: string | null;
  /** The URL that a defanged text stands for; `null` for any other text. */
  readonly meant: string | null;
  /** The explanation of the URL in `meant`; `null` if there is no such URL, or if the text itself is explained. */
  readonly restored: UrlExplanation | Refusal | null;
  /** Whether this is the answer. Otherwise, something that it needs is still loading, and the URL may be listed. */
  readonly isComplete: boolean;
}

/** The functions of `@x/list-source` that say what a text is instead of a URL. The page loads them after the first answer. */
type Recognition = Pick<typeof import("@x/list-source"), "foreignText" | "refang">;

interface ListsInUse {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
}

/**
 * Gives the same result as the command: a text that looks like something else is refused, unless it is listed.
 *
 * @param inUse `null` while the lists are loading.
 * @param recognition `null` while it is loading. Then only the answer that a URL is listed is complete.
 */
export function urlResult(
  input: string,
  inUse: ListsInUse | null,
  prefixBytes: number,
  recognition: Recognition | null,
): UrlResult {
  const nothing = { input, looksLike: null, meant: null, restored: null, isComplete: true };
  if (input === "") return { ...nothing, explained: null };
  const { lists = [], safeLists = [] } = inUse ?? {};
  const explain = (url: string) => explainUrl(url, lists, { prefixBytes, safeLists });
  const explained = explain(input);
  const isListed = "listed" in explained && explained.listed === true;
  if (recognition === null) {
    if (isListed) return { ...nothing, explained };
    const withoutLists = explainUrl(input, [], { prefixBytes });
    return { ...nothing, explained: withoutLists, isComplete: false };
  }
  const { foreignText } = recognition;
  const meant = meantBy(input, recognition);
  // While the lists are loading, no text is refused for what it looks like: it may turn out to be listed.
  const recognized = isListed || inUse === null ? null : foreignText(input);
  if (recognized === null) return { ...nothing, explained, meant, isComplete: inUse !== null };
  const refusal = foreignRefusal(input, recognized, "a URL");
  const result = { ...nothing, explained: refusal, looksLike: recognized.found };
  const restored = meant === null ? null : explain(meant);
  // “hxxp://” alone does not stand for a URL. A text whose host cannot be decided may still be a URL.
  const isUrl =
    restored !== null && (!("error" in restored) || restored.error.code === "host-undecided");
  return isUrl ? { ...result, meant, restored } : result;
}

function meantBy(input: string, { foreignText, refang }: Recognition): string | null {
  const meant = refang(input);
  return meant === input || foreignText(meant) !== null ? null : meant;
}
