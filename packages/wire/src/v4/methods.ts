import type { Method } from "../http/method.ts";
import { explicit, messages, nameOrNumber } from "../message/table.ts";
import {
  PLATFORM_TYPES,
  type PlatformType,
  THREAT_ENTRY_TYPES,
  THREAT_TYPES,
  type ThreatEntryType,
  type ThreatType,
} from "./enums.ts";
import {
  type FindFullHashesRequest,
  type FindFullHashesResponse,
  type FindThreatMatchesRequest,
  type FindThreatMatchesResponse,
  findFullHashesRequest,
  findFullHashesResponse,
  findThreatMatchesRequest,
  findThreatMatchesResponse,
} from "./match-messages.ts";
import {
  type FetchThreatListUpdatesRequest,
  type FetchThreatListUpdatesResponse,
  fetchRequest,
  fetchResponse,
} from "./update-messages.ts";

/** Asks for the available lists. */
export type ListThreatListsRequest = Readonly<Record<never, never>>;

/** The three types that name a list. */
export interface ThreatListDescriptor {
  readonly threatType: ThreatType | number | null;
  readonly platformType: PlatformType | number | null;
  readonly threatEntryType: ThreatEntryType | number | null;
}

/** The available lists. */
export interface ListThreatListsResponse {
  readonly threatLists: readonly ThreatListDescriptor[];
}

/**
 * Updates of several lists.
 *
 * @see Safe Browsing v4, Update API, `threatListUpdates.fetch`
 */
export const fetchThreatListUpdates: Method<
  "v4.threatListUpdates.fetch",
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse
> = {
  name: "v4.threatListUpdates.fetch",
  httpMethod: "POST",
  path: "/v4/threatListUpdates:fetch",
  answer: "json",
  request: fetchRequest,
  response: fetchResponse,
};

/**
 * The full hashes that begin with given hash prefixes.
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
  request: findFullHashesRequest,
  response: findFullHashesResponse,
};

/**
 * Which of the given URLs are listed.
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
  request: findThreatMatchesRequest,
  response: findThreatMatchesResponse,
};

/** The available lists.
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
      threatLists: messages<ThreatListDescriptor>(1, {
        fields: {
          threatType: explicit(nameOrNumber(1, THREAT_TYPES)),
          platformType: explicit(nameOrNumber(2, PLATFORM_TYPES)),
          threatEntryType: explicit(nameOrNumber(3, THREAT_ENTRY_TYPES)),
        },
      }),
    },
  },
};

/** The methods of Safe Browsing v4. */
export const V4_METHODS: readonly [
  typeof fetchThreatListUpdates,
  typeof findFullHashes,
  typeof findThreatMatches,
  typeof listThreatLists,
] = [fetchThreatListUpdates, findFullHashes, findThreatMatches, listThreatLists];
