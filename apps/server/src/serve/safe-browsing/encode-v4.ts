import type { MessageInput } from "@x/wire";
import {
  type CompressionType,
  type ListUpdateRequest,
  type ListUpdateResponse,
  toListUpdateResponse,
} from "@x/wire/v4";
import type { Update } from "../updates/decide-update.ts";
import { EMPTY_UPDATE, fullUpdates } from "../updates/full-updates.ts";

const NO_STATE = new Uint8Array(0);

/** Full updates by compression. Their types are those of the request, and are filled in later. */
const fullResponseOf = fullUpdates((update, compression: CompressionType) =>
  toListUpdateResponse(update, {
    threatType: null,
    platformType: null,
    threatEntryType: null,
    supportedCompressions: [compression],
    newClientState: NO_STATE,
  }),
);

/** The parts of the request that the answer repeats, and the compressions that the client supports. */
function factsOf({ threatType, platformType, threatEntryType, constraints }: ListUpdateRequest) {
  const supportedCompressions = constraints?.supportedCompressions ?? [];
  return { threatType, platformType, threatEntryType, supportedCompressions };
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
      const { supportedCompressions, ...types } = facts;
      const compression = supportedCompressions.includes("RICE") ? "RICE" : "RAW";
      return { ...fullResponseOf(update.list, compression), ...types, newClientState };
    }
  }
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownListUpdate(request: ListUpdateRequest): MessageInput<ListUpdateResponse> {
  return toListUpdateResponse(EMPTY_UPDATE, {
    ...factsOf(request),
    newClientState: NO_STATE,
  });
}
