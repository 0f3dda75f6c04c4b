import { prefixList } from "@x/prefix-list";
import { fullUpdate, type MessageInput } from "@x/wire";
import { type HashList, toHashList } from "@x/wire/v5";
import type { LoadedList } from "../../store/list-reader.ts";
import type { Update } from "../updates/decide-update.ts";

const EMPTY_LIST = prefixList([], { created: 0 });
const NO_VERSION = new Uint8Array(0);

/** The full update of each list, which is the same for all clients. */
const fullUpdates = new WeakMap<LoadedList, HashList>();

function fullHashListOf(list: LoadedList, name: string): HashList {
  let message = fullUpdates.get(list);
  if (message === undefined) {
    const facts = { name, version: NO_VERSION, minimumWaitDuration: 0 };
    message = toHashList(fullUpdate(list.prefixes), facts);
    fullUpdates.set(list, message);
  }
  return message;
}

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
  return toHashList(fullUpdate(EMPTY_LIST), facts);
}
