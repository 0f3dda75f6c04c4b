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
  if (input === "") return { input, explained: null, looksLike: null, meant: null };
  const { lists = [], safeLists = [] } = inUse ?? {};
  const explained = explainUrl(input, lists, { prefixBytes, safeLists });
  const isListed = "listed" in explained && explained.listed === true;
  const meant = meantBy(input);
  // Once the lists are loaded, it may be listed.
  const recognized = isListed || inUse === null ? null : foreignText(input);
  if (recognized === null) return { input, explained, looksLike: null, meant };
  const refusal = foreignRefusal(input, recognized, "a URL");
  return { input, explained: refusal, looksLike: recognized.found, meant };
}

function meantBy(input: string): string | null {
  const meant = refang(input);
  return meant === input || foreignText(meant) !== null ? null : meant;
}
