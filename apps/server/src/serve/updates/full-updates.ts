import { prefixList } from "@x/prefix-list";
import { fullUpdate, type ListUpdate } from "@x/wire";
import type { LoadedList } from "../../store/list-reader.ts";
import { memoized } from "../memoized.ts";

/** The full update of a list that is not in the store. */
export const EMPTY_UPDATE: ListUpdate = fullUpdate(prefixList([], { created: 0 }));

/**
 * Keeps the message of each list's full update, in each of its forms. All clients that ask for the same form get the
 * same message, and writing it takes a while.
 */
export function fullUpdates<Form, Message>(
  toMessage: (update: ListUpdate, form: Form) => Message,
): (list: LoadedList, form: Form) => Message {
  const kept = new WeakMap<LoadedList, (form: Form) => Message>();
  return (list, form) => {
    let messageOf = kept.get(list);
    if (messageOf === undefined) {
      messageOf = memoized((each) => toMessage(fullUpdate(list.prefixes), each));
      kept.set(list, messageOf);
    }
    return messageOf(form);
  };
}
