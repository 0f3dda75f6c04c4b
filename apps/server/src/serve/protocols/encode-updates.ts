import type { MessageInput } from "@x/wire";
import {
  type ListUpdateRequest,
  type ListUpdateResponse,
  type RiceDeltaEncoding as RiceCodes,
  toListUpdateResponse,
} from "@x/wire/v4";
import { type HashList, toHashList } from "@x/wire/v5";
import type {
  CompressionType,
  ComputeThreatListDiffResponse,
  RiceDeltaEncoding,
} from "@x/wire/web-risk";
import { EMPTY_UPDATE } from "../list-update.ts";
import type { CodedUpdates } from "../updates/coded-updates.ts";
import type { Update } from "../updates/decide-update.ts";

/*
 * Updates as messages of each protocol. An update that is `null` stands for a list that is not in the store. Clients
 * then get an empty list, because many of them give up after an error.
 */

const NO_TOKEN = new Uint8Array(0);
const NO_TYPES = { threatType: null, platformType: null, threatEntryType: null };

/** An update as a message of v5. */
export async function hashListOf(
  update: Update | null,
  name: string,
  wait: number,
  coded: CodedUpdates,
): Promise<MessageInput<HashList>> {
  const facts = { name, version: update?.token ?? NO_TOKEN, minimumWaitDuration: wait };
  if (update === null) return toHashList(EMPTY_UPDATE, facts);
  if (update.kind === "none") return { ...facts, partialUpdate: true };
  const source = update.kind === "full" ? update.contents : update.difference;
  return { ...(await coded.hashList(source, name)), ...facts };
}

/** The fields of an update in v4 that do not repeat the request. */
async function codedUpdate(
  update: Update | null,
  compressions: readonly CompressionType[],
  coded: CodedUpdates,
): Promise<ListUpdateResponse> {
  if (update !== null && update.kind !== "none") {
    const source = update.kind === "full" ? update.contents : update.difference;
    return await coded.listUpdate(source, compressions.includes("RICE"));
  }
  const nothing =
    update === null
      ? EMPTY_UPDATE
      : { ...EMPTY_UPDATE, full: false, checksum: update.contents.checksum };
  return toListUpdateResponse(nothing, { ...NO_TYPES, newClientState: NO_TOKEN });
}

/** An update as a message of v4, which repeats the types of the request. */
export async function listUpdateOf(
  update: Update | null,
  { threatType, platformType, threatEntryType, constraints }: ListUpdateRequest,
  coded: CodedUpdates,
): Promise<MessageInput<ListUpdateResponse>> {
  const message = await codedUpdate(update, constraints?.supportedCompressions ?? [], coded);
  const newClientState = update?.token ?? NO_TOKEN;
  return { ...message, threatType, platformType, threatEntryType, newClientState };
}

/** An update as a message of Web Risk: the message of v4 with other field names, so both share their bytes. */
export async function threatListDiffOf(
  update: Update | null,
  compressions: readonly CompressionType[],
  recommendedNextDiff: number,
  coded: CodedUpdates,
): Promise<MessageInput<ComputeThreatListDiffResponse>> {
  const message = await codedUpdate(update, compressions, coded);
  const { responseType, checksum } = message;
  const [added] = message.additions;
  const [removed] = message.removals;
  return {
    responseType: responseType === "FULL_UPDATE" ? "RESET" : "DIFF",
    additions:
      added === undefined
        ? null
        : {
            rawHashes: added.rawHashes === null ? [] : [added.rawHashes],
            riceHashes: asWebRiskRice(added.riceHashes),
          },
    removals:
      removed === undefined
        ? null
        : { rawIndices: removed.rawIndices, riceIndices: asWebRiskRice(removed.riceIndices) },
    checksum,
    recommendedNextDiff,
    newVersionToken: update?.token ?? NO_TOKEN,
  };
}

function asWebRiskRice(codes: RiceCodes | null): MessageInput<RiceDeltaEncoding> | null {
  if (codes === null) return null;
  const { numEntries, ...rest } = codes;
  return { ...rest, entryCount: numEntries };
}
