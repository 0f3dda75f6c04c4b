import type { Method } from "../http/method.ts";
import { explicit, many, message, nameOrNumber } from "../message/table.ts";
import {
  PLATFORM_TYPES,
  type PlatformType,
  THREAT_ENTRY_TYPES,
  THREAT_TYPES,
  type ThreatEntryType,
  type ThreatType,
} from "./enums.ts";
import { findFullHashes, findThreatMatches } from "./matches.ts";
import { fetchThreatListUpdates } from "./updates.ts";

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
      threatLists: many(
        message<ThreatListDescriptor>(1, {
          fields: {
            threatType: explicit(nameOrNumber(1, THREAT_TYPES)),
            platformType: explicit(nameOrNumber(2, PLATFORM_TYPES)),
            threatEntryType: explicit(nameOrNumber(3, THREAT_ENTRY_TYPES)),
          },
        }),
      ),
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
