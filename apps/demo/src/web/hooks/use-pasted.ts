import { useMemo } from "preact/hooks";
import type { ShownLink } from "../model/link-check.ts";
import { hasLinksBehindWords } from "../model/links-behind-words.ts";
import { type PageList, splitLists } from "../model/page-list.ts";
import { OTHER_SCHEME, type UrlResult, urlResult } from "../model/url-result.ts";
import { type CheckState, useCheck } from "./use-check.ts";
import { useDebouncedText } from "./use-debounced-text.ts";

/** A check of several URLs that has begun. */
export type Found = Extract<CheckState, { problem: null }>;

/** The result for the text or the file on the first screen. */
export interface Pasted {
  /** The result if the text is one link. */
  readonly result: UrlResult;
  /** The link in the text or the file, if there is exactly one among other words. */
  readonly only: ShownLink | null;
  /** The URLs, if there are several, or if something about a file has to be said. */
  readonly found: Found | null;
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

/** Whether the answer is about several URLs. A file whose links may be incomplete never has the answer about one. */
function isAboutSeveral({ opened, progress }: Found, file: File | null): boolean {
  const { isLines, only, isBroken, isBinary, unread } = opened;
  const isPartial = isBroken || isBinary || unread.length > 0;
  return isLines || progress.checked > 1 || (file !== null && (only === null || isPartial));
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
  const state = useCheck(asked);
  const checked = state?.problem === null ? state : null;
  const isSeveral = checked !== null && isAboutSeveral(checked, file);
  const isRefused = whole.explained !== null && "error" in whole.explained && whole.meant === null;
  const only = !isSeveral && (isRefused || file !== null) ? (checked?.opened.only ?? null) : null;
  const result = useMemo(() => (only === null ? whole : explain(only.url)), [whole, only]);
  return {
    result,
    only,
    found: isSeveral ? checked : null,
    isLinkless: isRefused && checked?.progress.checked === 0 && /\s/.test(input.trim()),
    problem: state?.problem ?? null,
    isSearching:
      asked !== null &&
      state === null &&
      (file !== null || isRefused || hasLinksBehindWords(input)),
  };
}
