import { explainUrl, foreignRefusal, type Refusal, type UrlExplanation } from "@x/explain";
import { foreignText, refang } from "@x/list-source";
import { useMemo } from "preact/hooks";
import { type LoadedList, splitLists } from "../../hooks/use-lists.ts";
import { useSettled } from "../../hooks/use-settled.ts";

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

/** The same result that the command gives: a text that looks like something else is refused, unless it is listed. */
function resultFor(
  input: string,
  lists: readonly LoadedList[] | null,
  prefixBytes: number,
): UrlResult {
  if (input === "") return { input, explained: null, looksLike: null, meant: null };
  const { lists: blocking, safeLists } = splitLists(lists ?? []);
  const explained = explainUrl(input, blocking, { prefixBytes, safeLists });
  const isListed = "listed" in explained && explained.listed === true;
  const meant = meantBy(input);
  // Once the lists are loaded, it may be listed.
  const recognized = isListed || lists === null ? null : foreignText(input);
  if (recognized === null) return { input, explained, looksLike: null, meant };
  const refusal = foreignRefusal(input, recognized, "a URL");
  return { input, explained: refusal, looksLike: recognized.found, meant };
}

function meantBy(input: string): string | null {
  const meant = refang(input);
  return meant === input || foreignText(meant) !== null ? null : meant;
}

/** Explains the typed URL with all lists; `lists` is `null` while they are loading. */
export function useUrl(
  text: string,
  lists: readonly LoadedList[] | null,
  prefixBytes: number,
): UrlResult {
  const input = useSettled(text);
  return useMemo(() => resultFor(input, lists, prefixBytes), [input, lists, prefixBytes]);
}
