import { unlessAborted } from "@x/list-store/transport";
import { hasName } from "@x/sha256-prefix/has-name";
import {
  type AnyMethod,
  type MessageInput,
  type RequestOf,
  type ResponseOf,
  type readResponse,
  type WireError,
  writeRequest,
} from "@x/wire";
import { ClientError } from "../error.ts";
import {
  checkApplied,
  type ListJob,
  type ListJobResult,
  type UpdateMessage,
} from "../lists/list-job.ts";
import type { Purpose } from "../requests/requester.ts";
import type { KeptList, ListOutcome, ProtocolContext } from "./protocol.ts";

/**
 * Reads an answer. A `WireError`, for an answer that does not follow the protocol, becomes the error `answer-wrong`.
 */
export function readAnswer<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!hasName<WireError>(error, "WireError")) throw error;
    throw new ClientError("answer-wrong", `The server's answer cannot be used. ${error.message}`, {
      cause: error,
    });
  }
}

export type CallContext = Pick<ProtocolContext, "key" | "requester">;

/** Calls a method of the server, and returns the message of its answer. */
export type CallMethod = <M extends AnyMethod>(
  method: M,
  message: MessageInput<RequestOf<M>>,
  purpose: Purpose,
  context: CallContext,
  signal: AbortSignal,
) => Promise<ResponseOf<M>>;

/**
 * Makes a function that calls methods of the server. The length of an answer is not limited here, because `send` limits
 * it.
 */
export function callsWith(read: typeof readResponse): CallMethod {
  return async (method, message, purpose, { key, requester }, signal) => {
    const request = writeRequest(method, message, { key: key ?? undefined });
    const { bytes, contentType } = await requester.send(request, purpose, signal);
    return readAnswer(() => read(method, bytes, contentType, { maxBytes: Infinity }));
  };
}

/**
 * Throws if an answer without results does not say how long it is valid. Otherwise, an empty body, or a record that
 * means something else, would count as "not listed".
 */
export function checkAnswered(valid: number | null): void {
  if (valid !== null) return;
  const message = "The server's answer does not say how long it is valid";
  throw new ClientError("answer-wrong", message);
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
  let result: ListJobResult;
  try {
    result = checkApplied(await unlessAborted(apply(job), signal), job);
  } catch (cause) {
    signal.throwIfAborted();
    const text = `The update of the list ${name} could not be applied: ${(cause as Error)?.message ?? cause}`;
    return {
      kind: "failed",
      name,
      error: new ClientError("apply-failed", text, { list: name, cause }),
    };
  }
  const { damage, list, added, removed, bytes } = result;
  if (damage !== null) {
    const text = `The update of the list ${name} cannot be used. ${damage}`;
    return { kind: "damaged", name, error: new ClientError("list-damaged", text, { list: name }) };
  }
  if (list === null) return { kind: "unchanged", name, token };
  return { kind: "new", name, token, list, added, removed, bytes };
}
