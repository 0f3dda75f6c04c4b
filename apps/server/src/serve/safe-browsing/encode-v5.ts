import type { MessageInput } from "@x/wire";
import { type HashList, toHashList } from "@x/wire/v5";
import { EMPTY_UPDATE } from "../aside/jobs.ts";
import type { CodedUpdates } from "../updates/coded-updates.ts";
import type { Update } from "../updates/decide-update.ts";

const NO_VERSION = new Uint8Array(0);

/** The message of an update. */
export async function hashListOf(
  update: Update,
  wait: number,
  coded: CodedUpdates,
): Promise<MessageInput<HashList>> {
  const facts = { name: update.row.v5!, version: update.token, minimumWaitDuration: wait };
  if (update.kind === "none") return { ...facts, partialUpdate: true };
  const source = update.kind === "full" ? update.contents : update.difference;
  return { ...(await coded.hashList(source, facts.name)), ...facts };
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownHashList(name: string, wait: number): MessageInput<HashList> {
  const facts = { name, version: NO_VERSION, minimumWaitDuration: wait };
  return toHashList(EMPTY_UPDATE, facts);
}
