import { findThreatList, readResponse, writeRequest } from "@x/wire";
import {
  fetchThreatListUpdates,
  findFullHashes,
  type ListUpdateRequest,
  listUpdatesInOrder,
  type PlatformType,
  type ThreatEntryType,
  type ThreatMatch,
  type ThreatType,
} from "@x/wire/v4";
import { ClientError } from "../error.ts";
import { appliedOutcome, callsWith, optionError, readAnswer } from "./answers.ts";
import type { FoundHash, KeptList, ListOutcome, Protocol, SizeConstraints } from "./protocol.ts";

const call = callsWith(readResponse);

/** How this client identifies itself. The API requires a name and a version, but they have no visible effect. */
const CLIENT = { clientId: "x-client", clientVersion: "1" };

/** The three types that name a list of v4. */
interface Descriptor {
  readonly threatType: ThreatType;
  readonly platformType: PlatformType;
  readonly threatEntryType: ThreatEntryType;
}

/**
 * The types in the name of a list, such as `MALWARE/WINDOWS/URL`. If the last two are left out, they are `ANY_PLATFORM`
 * and `URL`.
 */
function descriptorOf(name: string): Descriptor {
  const [threatType, platformType = "ANY_PLATFORM", threatEntryType = "URL", ...more] =
    name.split("/");
  if (more.length > 0)
    throw optionError(name, "the name of a v4 list, such as MALWARE/WINDOWS/URL");
  return { threatType, platformType, threatEntryType } as Descriptor;
}

const isOfList = (match: ThreatMatch, list: Descriptor) =>
  match.threatType === list.threatType &&
  // A match for all platforms is also a match for the platform of the list.
  [list.platformType, "ANY_PLATFORM", "ALL_PLATFORMS"].includes(String(match.platformType)) &&
  match.threatEntryType === list.threatEntryType;

function updateRequest(
  { name, token }: Pick<KeptList, "name" | "token">,
  constraints: SizeConstraints | null,
): ListUpdateRequest {
  const { maxUpdateEntries = 0, maxDatabaseEntries = 0 } = constraints ?? {};
  return {
    ...descriptorOf(name),
    state: token ?? new Uint8Array(0),
    constraints: {
      maxUpdateEntries,
      maxDatabaseEntries,
      region: "",
      supportedCompressions: ["RAW", "RICE"],
    },
  };
}

/** Safe Browsing v4. */
export const V4: Protocol = {
  maxPrefixes: 500,

  describe(name) {
    const { threatType, threatEntryType } = descriptorOf(name);
    try {
      const listUpdateRequests = [updateRequest({ name, token: null }, null)];
      writeRequest(fetchThreatListUpdates, { listUpdateRequests });
    } catch (cause) {
      throw optionError(name, "a list of v4", cause);
    }
    const row = findThreatList({ v4: threatType });
    const isThreat = row === null || (row.v5ThreatType !== null && threatEntryType === "URL");
    return { use: isThreat ? "threats" : "none", threatType };
  },

  async update(kept, context, signal) {
    const request = {
      client: CLIENT,
      listUpdateRequests: kept.map((list) => updateRequest(list, context.sizeConstraints)),
    };
    const answer = await call(fetchThreatListUpdates, request, "update", context, signal);
    const messages = readAnswer(() => listUpdatesInOrder(request, answer));
    const outcomes: ListOutcome[] = [];
    for (const [i, message] of messages.entries()) {
      signal.throwIfAborted();
      const job = { protocol: "v4", message } as const;
      outcomes.push(await appliedOutcome(kept[i]!, job, message.newClientState, context, signal));
    }
    return { outcomes, wait: answer.minimumWaitDuration };
  },

  async search(prefixes, kept, context, signal) {
    const lists = kept.map(({ name }) => descriptorOf(name));
    const unique = <Value>(values: readonly Value[]) => [...new Set(values)];
    const request = {
      client: CLIENT,
      clientStates: kept.flatMap(({ token }) => (token === null ? [] : [token])),
      threatInfo: {
        threatTypes: unique(lists.map(({ threatType }) => threatType)),
        platformTypes: unique(lists.map(({ platformType }) => platformType)),
        threatEntryTypes: unique(lists.map(({ threatEntryType }) => threatEntryType)),
        threatEntries: prefixes.map((hash) => ({ hash })),
      },
    };
    const answer = await call(findFullHashes, request, "search", context, signal);
    // The request asks for all combinations of the types, and so perhaps for lists that the client does not keep.
    const matches = answer.matches.filter((match) => lists.some((list) => isOfList(match, list)));
    const hashes = matches.map(({ threat, threatType, cacheDuration }): FoundHash => {
      if (threat === null || threat.hash.length !== 32) {
        throw new ClientError(
          "answer-wrong",
          "The server's answer has a match without a full hash",
        );
      }
      return {
        hash: threat.hash.slice(),
        threats: [{ threatType: String(threatType), isForFrames: false }],
        duration: cacheDuration ?? 0,
      };
    });
    return {
      hashes,
      duration: answer.negativeCacheDuration ?? 0,
      wait: answer.minimumWaitDuration,
    };
  },
};
