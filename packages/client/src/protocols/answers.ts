import { WireError } from "@x/wire";
import { ClientError } from "../error.ts";
import type { ListMessage } from "./apply-update.ts";
import type { KeptList, ListOutcome, ProtocolContext } from "./protocol.ts";

/** The API key, as an option of `writeRequest`. */
export const keyOption = ({ key }: ProtocolContext): { key?: string } =>
  key === null ? {} : { key };

/** Reads an answer; whatever is wrong with it, it is not an answer of the protocol. */
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

/** The name of a list is not one of the protocol. */
export function optionError(name: string, expected: string, cause?: unknown): ClientError {
  const message = `lists has ${JSON.stringify(name)}, which is not ${expected}`;
  return new ClientError("option-invalid", message, { list: name, cause });
}

/** Applies the update of one list. */
export async function appliedOutcome(
  { name, list: before }: KeptList,
  message: ListMessage,
  version: Uint8Array,
  { apply, now }: ProtocolContext,
): Promise<ListOutcome> {
  // The bytes of the answer are not kept for the few of the token.
  const token = version.slice();
  try {
    const { list, ...counts } = await apply({ ...message, name, before, created: now() });
    if (list === null) return { kind: "unchanged", name, token };
    return { kind: "new", name, token, list, ...counts };
  } catch (cause) {
    const text = `The update of the list ${name} cannot be used. ${(cause as Error).message}`;
    const error = new ClientError("list-damaged", text, { list: name, cause });
    return { kind: "damaged", name, error };
  }
}

/**
 * Updates lists one by one. What is wrong with one of them says nothing about the others, so they are all tried. When all
 * of them fail, throws the error of the first.
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
