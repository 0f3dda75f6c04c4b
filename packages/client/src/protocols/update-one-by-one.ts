import { ClientError } from "../error.ts";
import { shortestWait } from "../schedule/wait-between-updates.ts";
import type { KeptList, ListOutcome, UpdateAnswer } from "./protocol.ts";

/**
 * Updates lists one by one. A problem with one list says nothing about the others, so all lists are tried. If all of
 * them fail, throws the error of the first, unless the server has answered that it does not have one of them.
 */
export async function updateOneByOne(
  kept: readonly KeptList[],
  signal: AbortSignal,
  update: (list: KeptList) => Promise<{ outcome: ListOutcome; wait: number | null }>,
): Promise<UpdateAnswer> {
  const outcomes: ListOutcome[] = [];
  const waits: (number | null)[] = [];
  for (const list of kept) {
    try {
      const { outcome, wait } = await update(list);
      outcomes.push(outcome);
      waits.push(wait);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ClientError)) throw error;
      outcomes.push({ kind: "failed", name: list.name, error });
    }
  }
  const [first] = outcomes;
  const isFailure = (each: ListOutcome) =>
    each.kind === "failed" && each.error.code !== "list-unknown";
  if (first?.kind === "failed" && outcomes.every(isFailure)) throw first.error;
  return { outcomes, wait: shortestWait(waits) };
}
