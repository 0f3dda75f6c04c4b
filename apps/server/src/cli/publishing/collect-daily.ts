import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { collectStore } from "../collect-store.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/schema.ts";
import type { StoreFiles } from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * Returns a function that collects garbage at most once a day. If garbage collection fails, the function reports the
 * problem, and tries again at the next call.
 */
export function dailyCollection(
  files: StoreFiles,
  keep: Settings["keep"],
  now: () => number = Date.now,
): (context: Pick<Context, "print" | "complain">) => Promise<void> {
  let last: number | null = null;
  return async ({ print, complain }) => {
    if (last !== null && now() - last < DAY) return;
    try {
      const { deleted } = await collectStore(files, keep, { dryRun: false });
      last = now();
      if (deleted.length > 0)
        print(
          `Deleted ${counted(deleted.length, "object", "objects")} that nothing needs any more`,
        );
    } catch (error) {
      const problem = isSystemError(error) ? systemProblem(error) : (error as Error).message;
      complain(printable(`garbage collection failed: ${problem}`), { isFailure: true });
    }
  };
}
