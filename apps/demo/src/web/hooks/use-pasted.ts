import { useEffect, useMemo, useState } from "preact/hooks";
import type { ShownLink } from "../model/link-check.ts";
import { type PageList, splitLists } from "../model/page-list.ts";
import { OTHER_SCHEME, type UrlResult, urlResult } from "../model/url-result.ts";
import { ask } from "../worker-client.ts";
import type { CheckAsked, CheckProgress, Opened } from "../workers/check-jobs.ts";
import { usePending } from "./use-pending.ts";

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
  readonly isMail: boolean;
  readonly problem: string | null;
  readonly isSearching: boolean;
}

/** Whether a text that is not a single link may contain links. */
function mayHaveLinks({ input, explained, meant }: UrlResult): boolean {
  if (explained === null || OTHER_SCHEME.test(input)) return false;
  if (/\s/.test(input.trim())) return true;
  if (!("error" in explained) || explained.error.code === "host-undecided") return false;
  // Quotes, brackets, marks of chats, and letters of languages without spaces may stand beside a link.
  return meant === null && /[<>"'()[\]*`]|[^\0-\x7f]/.test(input);
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
  recognition: Parameters<typeof urlResult>[2],
): Pasted {
  const input = useDebouncedText(text);
  const inUse = useMemo(() => lists && splitLists(lists), [lists]);
  const explain = (url: string) => urlResult(url, inUse, recognition);
  const whole = useMemo(() => explain(input), [input, inUse, recognition]);
  const isWanted = file !== null || mayHaveLinks(whole);
  const isAsked = recognition !== null && isWanted;
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
    isMail: checked?.opened.isMail ?? false,
    problem: state?.problem ?? null,
    // Before all code and the lists are loaded, nothing is said about a text that may have links.
    isSearching:
      state === null && (file !== null || (isRefused && (recognition === null || isWanted))),
  };
}

/** A check of many URLs, so far. */
export type CheckState = { readonly asked: CheckAsked; readonly isDone: boolean } & (
  | { readonly problem: null; readonly opened: Opened; readonly progress: CheckProgress }
  | { readonly problem: string; readonly opened: null; readonly progress: null }
);

/**
 * Checks the URLs of a text or a file in the worker, which does a part of the check each time this hook asks.
 *
 * @param asked a new object for each new question; `null` for none.
 * @returns `null` until there is something to show.
 */
export function useCheck(asked: CheckAsked | null): CheckState | null {
  const [latest, setLatest] = useState<CheckState | null>(null);
  const state = asked !== null && latest?.asked === asked ? latest : null;
  usePending(asked !== null && !state?.isDone);
  useEffect(() => {
    if (asked === null) return;
    let isWanted = true;
    const show = (next: CheckState): void => {
      // Ignore a late result of an earlier question.
      if (isWanted) setLatest(next);
    };
    const run = async (): Promise<void> => {
      const opened = await ask("openCheck", asked);
      for (let isDone = false; isWanted && !isDone; ) {
        const progress = await ask("continueCheck", opened.job);
        isDone = progress.done === progress.total;
        show({ asked, opened, progress, isDone, problem: null });
      }
    };
    run().catch(({ message }: Error) =>
      show({ asked, opened: null, progress: null, isDone: true, problem: message }),
    );
    return () => {
      isWanted = false;
    };
  }, [asked]);
  return state;
}

const SHORT = 4000;
const PAUSE_MS = 250;

/** The text that the user types. A long text is passed on only when the user pauses. */
export function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const shown = text.length <= SHORT ? text : settled;
  usePending(shown !== text);
  return shown;
}
