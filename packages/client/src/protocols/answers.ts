import {
  type AnyMethod,
  type MessageInput,
  type RequestOf,
  type ResponseOf,
  type readResponse,
  WireError,
  writeRequest,
} from "@x/wire";
import { ClientError } from "../error.ts";
import type { Purpose } from "../requests/requester.ts";
import type { ListJob, UpdateMessage } from "./apply-update.ts";
import type { KeptList, ListOutcome, ProtocolContext } from "./protocol.ts";
import { runJob } from "./run-job.ts";

/** Reads an answer. A `WireError` means that the answer does not follow the protocol. */
export function readAnswer<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ClientError("answer-wrong", `The server's answer cannot be used. ${error.message}`, {
      cause: error,
    });
  }
}

/** Calls a method of the server, and returns the message of its answer. */
export type CallMethod = <M extends AnyMethod>(
  method: M,
  message: MessageInput<RequestOf<M>>,
  purpose: Purpose,
  context: ProtocolContext,
  signal: AbortSignal,
) => Promise<ResponseOf<M>>;

/**
 * Makes a function that calls methods of the server. The length of an answer is not limited here, because `send` limits
 * it.
 */
export function callsWith(read: typeof readResponse): CallMethod {
  return async (method, message, purpose, { key, send }, signal) => {
    const request = writeRequest(method, message, { key: key ?? undefined });
    const { bytes, contentType } = await send(request, purpose, signal);
    return readAnswer(() => read(method, bytes, contentType, { maxBytes: Infinity }));
  };
}

/**
 * Throws if an answer that found nothing does not say how long that is valid. Otherwise, an empty body, or a record that
 * means something else, would count as "not listed".
 */
export function checkAnswered(valid: number | null): void {
  if (valid !== null) return;
  const message = "The server's answer does not say how long it is valid";
  throw new ClientError("answer-wrong", message);
}

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
  { apply, withFile, now }: ProtocolContext,
  signal: AbortSignal,
): Promise<ListOutcome> {
  // The token is copied. Otherwise, its few bytes would keep the whole answer in memory.
  const token = version.slice();
  const job: ListJob = { ...message, name, before, created: now(), withFile };
  try {
    const { damage, list, file = null, added, removed, bytes } = await runJob(job, apply, signal);
    if (damage !== null) {
      const text = `The update of the list ${name} cannot be used. ${damage}`;
      return {
        kind: "damaged",
        name,
        error: new ClientError("list-damaged", text, { list: name }),
      };
    }
    if (list === null) return { kind: "unchanged", name, token };
    return { kind: "new", name, token, list, file, added, removed, bytes };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { kind: "failed", name, error };
  }
}

/**
 * Updates lists one by one. A problem with one list says nothing about the others, so all lists are tried. If all of
 * them fail, throws the error of the first.
 */
export async function updateOneByOne(
  kept: readonly KeptList[],
  signal: AbortSignal,
  update: (list: KeptList) => Promise<ListOutcome>,
): Promise<ListOutcome[]> {
  const outcomes: ListOutcome[] = [];
  for (const list of kept) {
    try {
      outcomes.push(await update(list));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ClientError)) throw error;
      outcomes.push({ kind: "failed", name: list.name, error });
    }
  }
  const [first] = outcomes;
  if (first?.kind === "failed" && outcomes.every(({ kind }) => kind === "failed"))
    throw first.error;
  return outcomes;
}
