import { prefixList } from "@x/prefix-list";
import { fullUpdate, type MessageInput } from "@x/wire";
import {
  type CompressionType,
  type ListUpdateRequest,
  type ListUpdateResponse,
  toListUpdateResponse,
} from "@x/wire/v4";
import type { LoadedList } from "../../store/list-reader.ts";
import type { Update } from "../updates/decide-update.ts";

const EMPTY_LIST = prefixList([], { created: 0 });
const NO_STATE = new Uint8Array(0);

/** The full update of each list, which is the same for all clients with the same compression. */
const fullUpdates = new WeakMap<LoadedList, Map<CompressionType, ListUpdateResponse>>();

/** The parts of the request that the answer repeats, and the compressions that the client supports. */
function factsOf({ threatType, platformType, threatEntryType, constraints }: ListUpdateRequest) {
  const supportedCompressions = constraints?.supportedCompressions ?? [];
  return { threatType, platformType, threatEntryType, supportedCompressions };
}

type Facts = ReturnType<typeof factsOf>;

function fullResponseOf(list: LoadedList, facts: Facts): ListUpdateResponse {
  const compression = facts.supportedCompressions.includes("RICE") ? "RICE" : "RAW";
  const messages = fullUpdates.get(list) ?? new Map<CompressionType, ListUpdateResponse>();
  fullUpdates.set(list, messages);
  let message = messages.get(compression);
  if (message === undefined) {
    message = toListUpdateResponse(fullUpdate(list.prefixes), {
      ...facts,
      newClientState: NO_STATE,
    });
    messages.set(compression, message);
  }
  return message;
}

/** The message of an update, for the request that asked for it. */
export function listUpdateOf(
  update: Update,
  request: ListUpdateRequest,
): MessageInput<ListUpdateResponse> {
  const facts = factsOf(request);
  const newClientState = update.token;
  switch (update.kind) {
    case "none": {
      const { checksum } = update.list.prefixes;
      const unchanged = { full: false, removals: new Uint32Array(0), additions: [], checksum };
      return toListUpdateResponse(unchanged, { ...facts, newClientState });
    }
    case "partial":
      return toListUpdateResponse(
        { full: false, ...update.difference },
        { ...facts, newClientState },
      );
    case "full": {
      const { threatType, platformType, threatEntryType } = facts;
      const types = { threatType, platformType, threatEntryType };
      return { ...fullResponseOf(update.list, facts), ...types, newClientState };
    }
  }
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownListUpdate(request: ListUpdateRequest): MessageInput<ListUpdateResponse> {
  return toListUpdateResponse(fullUpdate(EMPTY_LIST), {
    ...factsOf(request),
    newClientState: NO_STATE,
  });
}
