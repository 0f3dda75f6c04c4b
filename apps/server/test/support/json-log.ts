import { type Run, waitFor } from "./command.ts";

/** Parses the complete lines of the log of a server. */
export const linesOf = (run: Pick<Run, "stdout">): readonly Record<string, unknown>[] =>
  run
    .stdout()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Waits until the log has this many lines with a message that matches. */
export async function logged(
  run: Pick<Run, "stdout">,
  message: RegExp,
  count: number = 1,
): Promise<void> {
  const matching = () => linesOf(run).filter(({ msg }) => message.test(String(msg)));
  await waitFor(String(message), () => matching().length >= count);
}
