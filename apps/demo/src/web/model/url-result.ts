import { explainUrl, foreignRefusal, type Refusal, type UrlExplanation } from "@x/explain";
import { foreignText, refang } from "@x/list-source";
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
  /** The explanation of that URL; `null` if there is none, or the text itself is explained. */
  readonly restored: UrlExplanation | Refusal | null;
}

interface ListsInUse {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
}

/**
 * The same result that the command gives: a text that looks like something else is refused, unless it is listed. The lists are
 * `null` while they are loading.
 */
export function urlResult(input: string, inUse: ListsInUse | null, prefixBytes: number): UrlResult {
  const nothing = { input, looksLike: null, meant: null, restored: null };
  if (input === "") return { ...nothing, explained: null };
  const { lists = [], safeLists = [] } = inUse ?? {};
  const explain = (url: string) => explainUrl(url, lists, { prefixBytes, safeLists });
  const explained = explain(input);
  const isListed = "listed" in explained && explained.listed === true;
  const meant = meantBy(input);
  // Once the lists are loaded, it may be listed.
  const recognized = isListed || inUse === null ? null : foreignText(input);
  if (recognized === null) return { ...nothing, explained, meant };
  const refusal = foreignRefusal(input, recognized, "a URL");
  const result = { ...nothing, explained: refusal, looksLike: recognized.found };
  const restored = meant === null ? null : explain(meant);
  // “hxxp://” alone stands for no URL. A host that cannot be decided is still that of one.
  const isUrl =
    restored !== null && (!("error" in restored) || restored.error.code === "host-undecided");
  return isUrl ? { ...result, meant, restored } : result;
}

function meantBy(input: string): string | null {
  const meant = refang(input);
  return meant === input || foreignText(meant) !== null ? null : meant;
}
