import { useEffect, useState } from "preact/hooks";
import { pendingUntil, usePending } from "./hooks/use-pending.ts";
import { ask } from "./worker-client.ts";

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
    // The worker loads modules, too. If it does not run, the first task says so.
    void pendingUntil(ask("load", undefined).catch(() => {}));
  }, []);
  return { later, problem };
}
