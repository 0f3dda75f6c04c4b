import { ClientError } from "../error.ts";
import type { ListJob, UpdateMessage } from "../jobs/apply-update.ts";
import { runJob } from "../jobs/run-job.ts";
import type { KeptList, ListOutcome, ProtocolContext } from "./protocol.ts";

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
