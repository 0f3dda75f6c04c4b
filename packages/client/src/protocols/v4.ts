import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { findThreatList, readResponse, writeRequest } from "@x/wire";
import {
  fetchThreatListUpdates,
  findFullHashes,
  type ListUpdateRequest,
  listThreatLists,
  listUpdatesInOrder,
  type PlatformType,
  type ThreatEntryType,
  type ThreatListDescriptor,
  type ThreatMatch,
  type ThreatType,
} from "@x/wire/v4";
import { ClientError, listNameInvalid } from "../error.ts";
import {
  appliedOutcome,
  callsWith,
  type FoundHash,
  type KeptList,
  type ListOutcome,
  MAX_SEARCHED_PREFIXES,
  type Protocol,
  type ProtocolContext,
  readAnswer,
  type SearchAnswer,
} from "./protocol.ts";

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
    throw listNameInvalid(name, "the name of a v4 list, such as MALWARE/WINDOWS/URL");
  return { threatType, platformType, threatEntryType } as Descriptor;
}

const nameOf = ({ threatType, platformType, threatEntryType }: ThreatListDescriptor) =>
  `${threatType}/${platformType}/${threatEntryType}`;

/** Groups lists by their platforms and entry types. */
function groupsOf(kept: readonly KeptList[]): readonly (readonly KeptList[])[] {
  const groups = new Map<string, KeptList[]>();
  for (const list of kept) {
    const { platformType, threatEntryType } = descriptorOf(list.name);
    const types = `${platformType}/${threatEntryType}`;
    groups.set(types, [...(groups.get(types) ?? []), list]);
  }
  return [...groups.values()];
}

/** A full hash in an answer to a search for these types of threats. */
function foundHash(
  { threat, threatType, cacheDuration }: ThreatMatch,
  threatTypes: readonly ThreatType[],
): FoundHash {
  if (threat === null || threat.hash.length !== FULL_HASH_BYTES) {
    throw new ClientError("answer-wrong", "The server's answer has a match without a full hash");
  }
  // A match of another type cannot be left out: the hash is on some list, and only our lists were searched.
  if (!threatTypes.some((type) => type === threatType)) {
    const message = "The server's answer has a match for a threat type that was not requested";
    throw new ClientError("answer-wrong", message);
  }
  return {
    hash: threat.hash.slice(),
    threats: [{ threatType: String(threatType), isForFrames: false }],
    duration: cacheDuration ?? 0,
  };
}

/** Searches lists with the same platform and entry type. */
async function searchGroup(
  prefixes: readonly Uint8Array[],
  kept: readonly KeptList[],
  context: ProtocolContext,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const lists = kept.map(({ name }) => descriptorOf(name));
  const { platformType, threatEntryType } = lists[0]!;
  const threatTypes = [...new Set(lists.map(({ threatType }) => threatType))];
  const request = {
    client: CLIENT,
    clientStates: kept.flatMap(({ token }) => (token === null ? [] : [token])),
    threatInfo: {
      threatTypes,
      platformTypes: [platformType],
      threatEntryTypes: [threatEntryType],
      threatEntries: prefixes.map((hash) => ({ hash })),
    },
  };
  const answer = await call(findFullHashes, request, "search", context, signal);
  const { matches, minimumWaitDuration: wait, negativeCacheDuration } = answer;
  const hashes = matches.map((match) => foundHash(match, threatTypes));
  const duration = negativeCacheDuration ?? (wait === null ? null : 0);
  return { hashes, duration, wait };
}

function updateRequest({ name, token }: Pick<KeptList, "name" | "token">): ListUpdateRequest {
  return {
    ...descriptorOf(name),
    state: token ?? new Uint8Array(0),
    constraints: {
      maxUpdateEntries: 0,
      maxDatabaseEntries: 0,
      region: "",
      supportedCompressions: ["RAW", "RICE"],
    },
  };
}

export const V4: Protocol = {
  maxPrefixes: MAX_SEARCHED_PREFIXES,

  describe(name) {
    const { threatType, threatEntryType } = descriptorOf(name);
    try {
      const listUpdateRequests = [updateRequest({ name, token: null })];
      writeRequest(fetchThreatListUpdates, { listUpdateRequests });
    } catch (cause) {
      throw listNameInvalid(name, "a list of v4", cause);
    }
    const row = findThreatList({ v4: threatType });
    const isThreat = row === null || (row.v5ThreatType !== null && threatEntryType === "URL");
    return { use: isThreat ? "threats" : "none", threatType };
  },

  async update(kept, context, signal) {
    const request = {
      client: CLIENT,
      listUpdateRequests: kept.map(updateRequest),
    };
    const answer = await call(fetchThreatListUpdates, request, "update", context, signal);
    const messages = readAnswer(() => listUpdatesInOrder(request, answer));
    const outcomes: ListOutcome[] = [];
    for (const [i, message] of messages.entries()) {
      signal.throwIfAborted();
      const update = { protocol: "v4", message } as const;
      outcomes.push(
        await appliedOutcome(kept[i]!, update, message.newClientState, context, signal),
      );
    }
    return { outcomes, wait: answer.minimumWaitDuration };
  },

  async serverLists(context, signal) {
    const { threatLists } = await call(listThreatLists, {}, "update", context, signal);
    const names = threatLists.map(nameOf);
    const known = new Set(names);
    return {
      names,
      has(name) {
        const asked = descriptorOf(name);
        // Servers that do not distinguish platforms answer for each of them.
        const ofAny = { ...asked, platformType: "ANY_PLATFORM" as const };
        return known.has(nameOf(asked)) || known.has(nameOf(ofAny));
      },
    };
  },

  async search(prefixes, lists, context, signal) {
    const hashes: FoundHash[] = [];
    let duration: number | null = Infinity;
    let wait: number | null = null;
    // A request asks for all combinations of its types. With one platform and entry type, these are exactly our lists.
    for (const group of groupsOf(lists())) {
      const answer = await searchGroup(prefixes, group, context, signal);
      for (const found of answer.hashes) hashes.push(found);
      duration =
        duration === null || answer.duration === null ? null : Math.min(duration, answer.duration);
      if (answer.wait !== null) wait = Math.max(wait ?? 0, answer.wait);
    }
    return { hashes, duration, wait };
  },
};
