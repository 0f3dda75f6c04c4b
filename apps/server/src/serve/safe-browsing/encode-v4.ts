import type { MessageInput } from "@x/wire";
import { type ListUpdateRequest, type ListUpdateResponse, toListUpdateResponse } from "@x/wire/v4";
import { EMPTY_UPDATE } from "../aside/jobs.ts";
import type { CodedUpdates } from "../updates/coded-updates.ts";
import type { Update } from "../updates/decide-update.ts";

const NO_STATE = new Uint8Array(0);

/** The parts of the request that the answer repeats, and the compressions that the client supports. */
function factsOf({ threatType, platformType, threatEntryType, constraints }: ListUpdateRequest) {
  const supportedCompressions = constraints?.supportedCompressions ?? [];
  return { threatType, platformType, threatEntryType, supportedCompressions };
}

/** The message of an update, for the request that asked for it. */
export async function listUpdateOf(
  update: Update,
  request: ListUpdateRequest,
  coded: CodedUpdates,
): Promise<MessageInput<ListUpdateResponse>> {
  const facts = factsOf(request);
  const newClientState = update.token;
  if (update.kind === "none") {
    const { checksum } = update.contents;
    const unchanged = { full: false, removals: new Uint32Array(0), additions: [], checksum };
    return toListUpdateResponse(unchanged, { ...facts, newClientState });
  }
  const { supportedCompressions, ...types } = facts;
  const source = update.kind === "full" ? update.contents : update.difference;
  const message = await coded.listUpdate(source, supportedCompressions.includes("RICE"));
  return { ...message, ...types, newClientState };
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownListUpdate(request: ListUpdateRequest): MessageInput<ListUpdateResponse> {
  return toListUpdateResponse(EMPTY_UPDATE, {
    ...factsOf(request),
    newClientState: NO_STATE,
  });
}
