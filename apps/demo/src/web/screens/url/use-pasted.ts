import { useMemo } from "preact/hooks";
import { useAnswer } from "../../hooks/use-answer.ts";
import { useDebouncedText } from "../../hooks/use-debounced-text.ts";
import type { JudgedLink, LinksFound } from "../../model/check-links-in-text.ts";
import { hasLinksBehindWords } from "../../model/links-behind-words.ts";
import { type PageList, splitLists } from "../../model/page-list.ts";
import { OTHER_SCHEME, type UrlResult, urlResult } from "../../model/url-result.ts";

/** The result for the text or the file on the first screen. */
export interface Pasted {
  /** The result if the text is one link. */
  readonly result: UrlResult;
  /** The link in the text, if there is exactly one among other words. */
  readonly only: JudgedLink | null;
  /** The links, if there are several, or if they are in a file. */
  readonly found: LinksFound | null;
  /** Whether the text is several words without a link. */
  readonly isLinkless: boolean;
  /** The reason why the search for links failed. */
  readonly problem: string | null;
  readonly isSearching: boolean;
}

/** Whether a text that is not a single link may contain links. */
function mayHaveLinks({ input, explained, meant }: UrlResult): boolean {
  if (explained === null || OTHER_SCHEME.test(input)) return false;
  if (/\s/.test(input.trim())) return true;
  return "error" in explained && meant === null && /[<>"'()[\]]/.test(input);
}

/**
 * Checks the typed or pasted text or the dropped file against all lists. `lists` and `recognition` are `null` while
 * they are loading.
 */
export function usePasted(
  text: string,
  file: File | null,
  lists: readonly PageList[] | null,
  prefixBytes: number,
  recognition: Parameters<typeof urlResult>[3],
): Pasted {
  const input = useDebouncedText(text);
  const inUse = useMemo(() => lists && splitLists(lists), [lists]);
  const explain = (url: string) => urlResult(url, inUse, prefixBytes, recognition);
  const whole = useMemo(() => explain(input), [input, inUse, prefixBytes, recognition]);
  const isAsked = recognition !== null && (file !== null || mayHaveLinks(whole));
  const asked = useMemo(
    () => (inUse === null || !isAsked ? null : { source: file ?? new Blob([input]), ...inUse }),
    [inUse, isAsked, file, input],
  );
  const { latest, isBusy } = useAnswer("findLinks", asked);
  const answered = asked !== null && latest?.asked === asked ? latest : null;
  const { links } = answered?.answer ?? {};
  const isSeveral = links !== undefined && (file !== null || links.total > 1);
  const isRefused = whole.explained !== null && "error" in whole.explained && whole.meant === null;
  const only = !isSeveral && isRefused ? (links?.shown[0] ?? null) : null;
  const result = useMemo(() => (only === null ? whole : explain(only.url)), [whole, only]);
  return {
    result,
    only,
    found: isSeveral ? answered!.answer : null,
    isLinkless: isRefused && links?.total === 0 && /\s/.test(input.trim()),
    problem: answered?.problem ?? null,
    isSearching: isBusy && (file !== null || isRefused || hasLinksBehindWords(input)),
  };
}
