import { ClientError } from "../error.ts";
import type { ListJob, UpdateMessage } from "../jobs/apply-update.ts";
import { runJob } from "../jobs/run-job.ts";
import type { KeptList, ListOutcome, ProtocolContext, UpdateAnswer } from "./protocol.ts";

/** The error for a list name that the protocol does not have. */
export function optionError(name: string, expected: string, cause?: unknown): ClientError {
  const message = `lists has ${JSON.stringify(name)}, which is not ${expected}`;
  return new ClientError("option-invalid", message, { list: name, cause });
}

/**
 * Applies the update of one list. If `apply` itself fails, that says nothing about the list, so the old list is kept.
 */
export async function appliedOutcome(
  { name, list: before }: KeptList,
  message: UpdateMessage,
  version: Uint8Array,
  { apply, now }: ProtocolContext,
  signal: AbortSignal,
): Promise<ListOutcome> {
  // The token is copied. Otherwise, its few bytes would keep the whole answer in memory.
  const token = version.slice();
  const job: ListJob = { ...message, name, before, created: now() };
  try {
    const result = await runJob(job, apply, signal);
    const { damage, list, added, removed, bytes } = result;
    if (damage !== null) {
      const text = `The update of the list ${name} cannot be used. ${damage}`;
      return {
        kind: "damaged",
        name,
        error: new ClientError("list-damaged", text, { list: name }),
      };
    }
    if (list === null) return { kind: "unchanged", name, token };
    return { kind: "new", name, token, list, added, removed, bytes };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { kind: "failed", name, error };
  }
}

/** The shortest wait that a server asks for; `null` when it asks for none. */
export function shortest(waits: readonly (number | null)[]): number | null {
  const known = waits.filter((wait) => wait !== null);
  return known.length === 0 ? null : Math.min(...known);
}

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
  return { outcomes, wait: shortest(waits) };
}
