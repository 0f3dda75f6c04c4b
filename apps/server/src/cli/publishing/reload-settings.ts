import { printable } from "@x/explain/printable";
import type { Context } from "../context.ts";
import { describeError } from "../describe-error.ts";

/**
 * Calls `watch` with a copy of the settings, into which SIGHUP reads them again. What is wrong is reported, and the old
 * settings stay in use. What `watch` reads only once, such as where its sources are, changes when it starts again.
 */
export async function reloadingOnHangUp<Settings extends object>(
  settings: Settings,
  read: () => Promise<Settings>,
  { complain }: Pick<Context, "complain">,
  watch: (settings: Settings) => Promise<void>,
): Promise<void> {
  const current = { ...settings };
  const onHangUp = async () => {
    try {
      Object.assign(current, await read());
      complain("the settings were read again");
    } catch (error) {
      const problem = describeError(error) ?? (error as Error).message;
      complain(printable(`the settings stay as they were: ${problem}`));
    }
  };
  process.on("SIGHUP", onHangUp);
  try {
    await watch(current);
  } finally {
    process.off("SIGHUP", onHangUp);
  }
}
