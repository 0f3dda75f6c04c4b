import { useEffect, useState } from "preact/hooks";
import { usePending } from "./hooks/use-pending.ts";

export type Later = typeof import("./later.ts");

/** Loads the part of the page that the first screen does not need. `problem` says why it could not be loaded. */
export function useLater(): { readonly later: Later | null; readonly problem: string | null } {
  const [later, setLater] = useState<Later | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  usePending(later === null && problem === null);
  useEffect(() => {
    import("./later.ts").then(setLater, (error: Error) => setProblem(error.message));
  }, []);
  return { later, problem };
}
