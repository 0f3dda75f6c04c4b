import { useEffect, useState } from "preact/hooks";

const SHORT = 4000;
const PAUSE_MS = 250;

/** The text that the user types. A long text changes here only when the user pauses. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text.length <= SHORT ? text : settled;
}
