import type { MessageInput } from "@x/wire";
import type { ListUpdateResponse, RiceDeltaEncoding as RiceCodes } from "@x/wire/v4";
import {
  type CompressionType,
  type ComputeThreatListDiffResponse,
  type RiceDeltaEncoding,
  toThreatListDiff,
} from "@x/wire/web-risk";
import { EMPTY_UPDATE } from "../aside/jobs.ts";
import type { CodedUpdates } from "../updates/coded-updates.ts";
import type { Update } from "../updates/decide-update.ts";

const NO_TOKEN = new Uint8Array(0);

/** What the answer depends on besides the list. */
export interface DiffFacts {
  readonly supportedCompressions: readonly CompressionType[];
  /** When to ask again, in milliseconds since 1970-01-01T00:00Z. */
  readonly recommendedNextDiff: number;
}

/** The message of an update. */
export async function threatListDiffOf(
  update: Update,
  facts: DiffFacts,
  coded: CodedUpdates,
): Promise<MessageInput<ComputeThreatListDiffResponse>> {
  const newVersionToken = update.token;
  if (update.kind === "none") {
    const { checksum } = update.contents;
    const unchanged = { full: false, removals: new Uint32Array(0), additions: [], checksum };
    return toThreatListDiff(unchanged, { ...facts, newVersionToken });
  }
  const { supportedCompressions, recommendedNextDiff } = facts;
  const source = update.kind === "full" ? update.contents : update.difference;
  const message = await coded.listUpdate(source, supportedCompressions.includes("RICE"));
  return { ...asDiff(message), recommendedNextDiff, newVersionToken };
}

/** An update in v4 as Web Risk writes it. Both have the same codes, so their bytes are shared. */
function asDiff(message: ListUpdateResponse): MessageInput<ComputeThreatListDiffResponse> {
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
  };
}

function asWebRiskRice(codes: RiceCodes | null): MessageInput<RiceDeltaEncoding> | null {
  if (codes === null) return null;
  const { numEntries, ...rest } = codes;
  return { ...rest, entryCount: numEntries };
}

/** Clients get an empty list in place of one that is not in the store, because many of them give up after an error. */
export function unknownThreatListDiff(
  facts: DiffFacts,
): MessageInput<ComputeThreatListDiffResponse> {
  return toThreatListDiff(EMPTY_UPDATE, { ...facts, newVersionToken: NO_TOKEN });
}
