import { useEffect, useState } from "preact/hooks";
import { usePending } from "./hooks/use-pending.ts";

export type DeferredModules = typeof import("./deferred-modules.ts");

/** Loads the part of the page that the first screen does not need. `problem` says why it could not be loaded. */
export function useDeferredModules(): {
  readonly later: DeferredModules | null;
  readonly problem: string | null;
} {
  const [later, setLater] = useState<DeferredModules | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  usePending(later === null && problem === null);
  useEffect(() => {
    import("./deferred-modules.ts").then(setLater, (error: Error) => setProblem(error.message));
  }, []);
  return { later, problem };
}
