import { useEffect, useState } from "preact/hooks";

const SHORT = 4000;
const PAUSE_MS = 250;

/** A text as it is, or, when it is long, as it was when the typing paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text.length <= SHORT ? text : settled;
}
