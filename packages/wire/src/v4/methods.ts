import type { Method } from "../http/method.ts";
import { many, message } from "../message/define-fields.ts";
import { findFullHashes, findThreatMatches } from "./matches.ts";
import { fetchThreatListUpdates, listTypes, type ThreatListDescriptor } from "./updates.ts";

/** A request for the names of the available lists. */
export type ListThreatListsRequest = Readonly<Record<never, never>>;

/** The available lists. */
export interface ListThreatListsResponse {
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

/** The methods of Safe Browsing v4. */
export const V4_METHODS: readonly [
  typeof fetchThreatListUpdates,
  typeof findFullHashes,
  typeof findThreatMatches,
  typeof listThreatLists,
] = [fetchThreatListUpdates, findFullHashes, findThreatMatches, listThreatLists];
