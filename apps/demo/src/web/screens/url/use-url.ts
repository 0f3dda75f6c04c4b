import { useMemo } from "preact/hooks";
import { type LoadedList, splitLists } from "../../hooks/use-lists.ts";
import { useSettled } from "../../hooks/use-settled.ts";
import { type UrlResult, urlResult } from "../../model/url-result.ts";

/** Explains the typed URL with all lists; `lists` and `recognition` are `null` while they are loading. */
export function useUrl(
  text: string,
  lists: readonly LoadedList[] | null,
  prefixBytes: number,
  recognition: Parameters<typeof urlResult>[3],
): UrlResult {
  const input = useSettled(text);
  return useMemo(
    () => urlResult(input, lists && splitLists(lists), prefixBytes, recognition),
    [input, lists, prefixBytes, recognition],
  );
}
