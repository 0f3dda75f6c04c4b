import { useMemo } from "preact/hooks";
import { useSettled } from "../../hooks/use-settled.ts";
import { type PageList, splitLists } from "../../model/page-list.ts";
import { type UrlResult, urlResult } from "../../model/url-result.ts";

/** Explains the typed URL with all lists; `lists` and `recognition` are `null` while they are loading. */
export function useUrl(
  text: string,
  lists: readonly PageList[] | null,
  prefixBytes: number,
  recognition: Parameters<typeof urlResult>[3],
): UrlResult {
  const input = useSettled(text);
  return useMemo(
    () => urlResult(input, lists && splitLists(lists), prefixBytes, recognition),
    [input, lists, prefixBytes, recognition],
  );
}
