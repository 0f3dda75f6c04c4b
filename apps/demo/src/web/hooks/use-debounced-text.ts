import { useEffect, useState } from "preact/hooks";
import { usePending } from "./use-pending.ts";

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
