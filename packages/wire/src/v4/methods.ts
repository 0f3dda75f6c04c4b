import { FULL_HASH_BYTES, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import type { Method } from "../http/method.ts";
import {
  bytes,
  duration,
  explicit,
  type MessageType,
  many,
  message,
  nameOrNumber,
  oneName,
  type Problem,
  string,
  unpacked,
} from "../message/message-type.ts";
import {
  PLATFORM_TYPES,
  type PlatformType,
  THREAT_ENTRY_TYPES,
  THREAT_TYPES,
  type ThreatEntryType,
  type ThreatType,
} from "./enums.ts";
import {
  type ClientInfo,
  clientInfo,
  fetchThreatListUpdates,
  listTypes,
  type ThreatListDescriptor,
} from "./updates.ts";

/** A request for the names of the available lists. */
type ListThreatListsRequest = Readonly<Record<never, never>>;

/** The available lists. */
interface ListThreatListsResponse {
  readonly threatLists: readonly ThreatListDescriptor[];
}

/**
 * Fetches the names of the available lists.
 *
 * @see Safe Browsing v4, `threatLists.list`
 */
export const listThreatLists: Method<
  "v4.threatLists.list",
  ListThreatListsRequest,
  ListThreatListsResponse
> = {
  name: "v4.threatLists.list",
  httpMethod: "GET",
  path: "/v4/threatLists",
  answer: "json",
  request: { fields: {} },
  response: {
    fields: {
      threatLists: many(
        message(1, { fields: listTypes({ threatType: 1, platformType: 2, threatEntryType: 3 }) }),
      ),
    },
  },
};

/** An entry is either a hash prefix or full hash, or a URL. The field that does not apply is empty. */
interface ThreatEntry {
  readonly hash: Uint8Array;
  readonly url: string;
}

const threatEntry: MessageType<ThreatEntry> = {
  fields: { hash: bytes(1), url: string(2) },
  check({ hash: { length } }): Problem | null {
    const isAllowed = length === 0 || (length >= MIN_PREFIX_BYTES && length <= MAX_PREFIX_BYTES);
    return isAllowed ? null : ["hash-length-wrong", "hash"];
  },
};

/** The entries to look for, and the types of the lists to search. */
export interface ThreatInfo {
  readonly threatTypes: readonly ThreatType[];
  /** A platform without a known name is kept as a number, so that the matches can repeat it. */
  readonly platformTypes: readonly (PlatformType | number)[];
  readonly threatEntryTypes: readonly ThreatEntryType[];
  readonly threatEntries: readonly ThreatEntry[];
}

const threatInfo: MessageType<ThreatInfo> = {
  fields: {
    threatTypes: unpacked(many(oneName(1, THREAT_TYPES))),
    platformTypes: unpacked(many(nameOrNumber(2, PLATFORM_TYPES))),
    threatEntryTypes: unpacked(many(oneName(4, THREAT_ENTRY_TYPES))),
    threatEntries: many(message(3, threatEntry)),
  },
};

/** Additional data about a match, for clients that know its key. */
interface MetadataEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

interface ThreatEntryMetadata {
  readonly entries: readonly MetadataEntry[];
}

const metadata: MessageType<ThreatEntryMetadata> = {
  fields: {
    entries: many(
      message<MetadataEntry>(1, {
        fields: { key: explicit(bytes(1)), value: explicit(bytes(2)) },
      }),
    ),
  },
};

/** An entry found in a list. */
export interface ThreatMatch extends ThreatListDescriptor {
  readonly threat: ThreatEntry | null;
  readonly threatEntryMetadata: ThreatEntryMetadata | null;
  /** The time for which clients may cache the match, in milliseconds. */
  readonly cacheDuration: number | null;
}

const threatMatch: MessageType<ThreatMatch> = {
  fields: {
    ...listTypes({ threatType: 1, platformType: 2, threatEntryType: 6 }),
    threat: message(3, threatEntry),
    threatEntryMetadata: message(4, metadata),
    cacheDuration: duration(5),
  },
};

/** A request for the full hashes that begin with hash prefixes of 4 to 32 bytes. */
export interface FindFullHashesRequest {
  readonly client: ClientInfo | null;
  /** The states of the client's lists. */
  readonly clientStates: readonly Uint8Array[];
  readonly threatInfo: ThreatInfo | null;
}

/** The full hashes found. */
interface FindFullHashesResponse {
  readonly matches: readonly ThreatMatch[];
  /** The time to wait before the next request, in milliseconds. */
  readonly minimumWaitDuration: number | null;
  /** The time for which clients may cache the fact that an entry was not found, in milliseconds. */
  readonly negativeCacheDuration: number | null;
}

/** A request to check URLs, which the server therefore learns. */
interface FindThreatMatchesRequest {
  readonly client: ClientInfo | null;
  readonly threatInfo: ThreatInfo | null;
}

/** The URLs that are listed. */
interface FindThreatMatchesResponse {
  readonly matches: readonly ThreatMatch[];
}

/**
 * Finds the full hashes that begin with given hash prefixes.
 *
 * @see Safe Browsing v4, Update API, `fullHashes.find`
 */
export const findFullHashes: Method<
  "v4.fullHashes.find",
  FindFullHashesRequest,
  FindFullHashesResponse
> = {
  name: "v4.fullHashes.find",
  httpMethod: "POST",
  path: "/v4/fullHashes:find",
  answer: "json",
  request: {
    fields: {
      client: message(1, clientInfo),
      clientStates: many(bytes(2)),
      threatInfo: message(3, threatInfo),
    },
    check({ threatInfo }): Problem | null {
      const path = "threatInfo.threatEntries";
      const entries = threatInfo?.threatEntries ?? [];
      if (entries.length === 0) return ["prefixes-missing", path];
      const areHashes = entries.every(({ hash }) => hash.length > 0);
      return areHashes ? null : ["hash-length-wrong", `${path}.hash`];
    },
  },
  response: {
    fields: {
      matches: many(message(1, threatMatch)),
      minimumWaitDuration: duration(2),
      negativeCacheDuration: duration(3),
    },
    check({ matches }): Problem | null {
      const areFull = matches.every(({ threat }) => threat?.hash.length === FULL_HASH_BYTES);
      return areFull ? null : ["hash-length-wrong", "matches.threat.hash"];
    },
  },
};

/**
 * Checks which of the given URLs are listed.
 *
 * @see Safe Browsing v4, Lookup API, `threatMatches.find`
 */
export const findThreatMatches: Method<
  "v4.threatMatches.find",
  FindThreatMatchesRequest,
  FindThreatMatchesResponse
> = {
  name: "v4.threatMatches.find",
  httpMethod: "POST",
  path: "/v4/threatMatches:find",
  answer: "json",
  request: {
    fields: { client: message(1, clientInfo), threatInfo: message(2, threatInfo) },
  },
  response: {
    fields: { matches: many(message(1, threatMatch)) },
  },
};

/** The methods of Safe Browsing v4. */
export const V4_METHODS: readonly [
  typeof fetchThreatListUpdates,
  typeof findFullHashes,
  typeof findThreatMatches,
  typeof listThreatLists,
] = [fetchThreatListUpdates, findFullHashes, findThreatMatches, listThreatLists];
