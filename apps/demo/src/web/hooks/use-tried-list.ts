import { useMemo } from "preact/hooks";
import type { PageList } from "../model/page-list.ts";
import type { ListSource } from "../model/read-list.ts";
import { useAnswer } from "./use-answer.ts";
import { useDebouncedText } from "./use-debounced-text.ts";

/** A list that is typed into the page. */
export interface TriedList {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** `null` while there is no list. */
  readonly list: PageList | null;
  readonly source: ListSource | null;
  readonly problem: string | null;
  /** Whether the text has not been read yet, as when a link is opened. */
  readonly isUnread: boolean;
}

const NAME = "your list";

/** Reads the text of a list in the worker while it is typed. */
export function useTriedList(text: string, setText: (text: string) => void): TriedList {
  const settled = useDebouncedText(text);
  const asked = useMemo(
    () => ({ bytes: new TextEncoder().encode(settled), name: NAME }),
    [settled],
  );
  const { latest } = useAnswer("readList", asked);
  return useMemo((): TriedList => {
    const nothing = { text, setText, list: null, source: null, problem: null, isUnread: false };
    if (text.trim() === "") return nothing;
    if (latest === null) return { ...nothing, isUnread: true };
    const { answer, problem } = latest;
    if (answer === null) return { ...nothing, problem: `There is no list: ${problem}` };
    const { list, source } = answer;
    if (list === null)
      return { ...nothing, source, problem: `There is no list: ${answer.problem}.` };
    return { ...nothing, source, list: { list, from: "text", isSafe: false, source: null } };
  }, [text, setText, latest]);
}
