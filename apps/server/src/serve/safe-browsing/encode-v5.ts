import type { MessageInput } from "@x/wire";
import { type HashList, toHashList } from "@x/wire/v5";
import type { Update } from "../updates/decide-update.ts";
import { EMPTY_UPDATE, fullUpdates } from "../updates/full-updates.ts";

const NO_VERSION = new Uint8Array(0);

/** Full updates by name. */
const fullHashListOf = fullUpdates((update, name: string) =>
  toHashList(update, { name, version: NO_VERSION, minimumWaitDuration: 0 }),
);

/** The message of an update. */
export function hashListOf(update: Update, wait: number): MessageInput<HashList> {
  const facts = { name: update.row.v5!, version: update.token, minimumWaitDuration: wait };
  switch (update.kind) {
    case "none":
      return { ...facts, partialUpdate: true };
    case "partial":
      return toHashList({ full: false, ...update.difference }, facts);
    case "full":
      return { ...fullHashListOf(update.list, facts.name), ...facts };
  }
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownHashList(name: string, wait: number): MessageInput<HashList> {
  const facts = { name, version: NO_VERSION, minimumWaitDuration: wait };
  return toHashList(EMPTY_UPDATE, facts);
}
