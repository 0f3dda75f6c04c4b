import { printable } from "@x/explain/printable";
import type { Context } from "../context.ts";
import { describeError } from "../describe-error.ts";

/**
 * Calls `watch` with the settings. On SIGHUP, reads the settings again, ends the running call of `watch`, and calls it
 * with the new settings. If the settings cannot be read, the problem is reported, and the old ones stay in use.
 *
 * @param watch ends when its signal is aborted, and returns whether it ended for that reason.
 */
export async function reloadingOnHangUp<Settings>(
  first: Settings,
  read: () => Promise<Settings>,
  { print, complain }: Pick<Context, "print" | "complain">,
  watch: (settings: Settings, replaced: AbortSignal) => Promise<boolean>,
): Promise<void> {
  let current = first;
  let replaced = new AbortController();
  const onHangUp = async () => {
    try {
      current = await read();
      print("the settings were read again");
      replaced.abort();
    } catch (error) {
      const problem = describeError(error) ?? (error as Error).message;
      complain(printable(`the settings stay as they were: ${problem}`), { isFailure: true });
    }
  };
  process.on("SIGHUP", onHangUp);
  try {
    while (await watch(current, replaced.signal)) replaced = new AbortController();
  } finally {
    process.off("SIGHUP", onHangUp);
  }
}
