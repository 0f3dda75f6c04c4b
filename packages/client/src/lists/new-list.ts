import type { PrefixList } from "@x/prefix-list";
import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import type { KeptList, ListOutcome } from "../protocols/protocol.ts";

/** A new version of a list, before the client keeps it. */
export interface NewList {
  readonly name: string;
  readonly list: PrefixList;
  /** The list that the client has; `null` when it has none. */
  readonly before: PrefixList | null;
}

/**
 * Called with each new version of a list before it is kept. When it returns `false`, throws or rejects, the list stays
 * as it was.
 */
export type OnNewList = (newList: NewList) => unknown;

/** The outcome for a list after `onNewList` has seen its new version. */
export async function admitted(
  outcome: ListOutcome,
  kept: readonly KeptList[],
  onNewList: OnNewList | null,
  signal: AbortSignal,
): Promise<ListOutcome> {
  if (outcome.kind !== "new" || onNewList === null) return outcome;
  const { name, list } = outcome;
  const before = kept.find((each) => each.name === name)?.list ?? null;
  let reason = "";
  let cause: unknown;
  try {
    const asked = Promise.resolve().then(() => onNewList({ name, list, before }));
    if ((await unlessAborted(asked, signal)) !== false) return outcome;
  } catch (error) {
    signal.throwIfAborted();
    cause = error;
    reason = `: ${(error as Error)?.message ?? error}`;
  }
  const message = `The new version of the list ${name} was refused${reason}`;
  return {
    kind: "failed",
    name,
    error: new ClientError("update-refused", message, { list: name, cause }),
  };
}
