import { findThreatList, readProtobufResponse, type ThreatList } from "@x/wire";
import {
  batchGetHashLists,
  type HashList,
  hashListsInOrder,
  listHashLists,
  searchHashes,
  type FoundHash as WireHash,
} from "@x/wire/v5";
import { ClientError } from "../error.ts";
import {
  appliedOutcome,
  type CallContext,
  callsWith,
  type FoundHash,
  type KeptList,
  type ListOutcome,
  MAX_SEARCHED_PREFIXES,
  type Protocol,
  type ProtocolContext,
  readAnswer,
  type SearchAnswer,
  type ServerLists,
  shortestWait,
} from "./protocol.ts";

const call = callsWith(readProtobufResponse);

/**
 * The maximum number of lists in one update request. The address contains the names and versions of the lists, and many
 * proxies refuse addresses of more than 8 kB. Servers may also limit the number of lists.
 */
const MAX_LISTS = 50;
/** The maximum number of pages on which a server may name its lists. */
const MAX_PAGES = 100;

/** Asks for the updates of lists with one request. */
async function requestUpdates(
  kept: readonly KeptList[],
  context: ProtocolContext,
  signal: AbortSignal,
): Promise<readonly HashList[]> {
  const names = kept.map(({ name }) => name);
  const request = {
    names,
    // Tokens are not matched to names by position, so missing ones are simply left out.
    version: kept.flatMap(({ token }) => (token?.length ? [token] : [])),
  };
  const answer = await call(batchGetHashLists, request, "update", context, signal);
  return readAnswer(() => hashListsInOrder(names, answer));
}

/** Asks for the names of the server's lists, page by page. */
async function serverLists(context: ProtocolContext, signal: AbortSignal): Promise<ServerLists> {
  const names = new Set<string>();
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await call(listHashLists, { pageToken }, "update", context, signal);
    for (const { name } of answer.hashLists) names.add(name);
    pageToken = answer.nextPageToken;
    if (pageToken === "") return { names: [...names], has: (name) => names.has(name) };
  }
  throw new ClientError("answer-wrong", "The server's answer about its lists has too many pages");
}

/** The row of a list, whatever the length of its prefixes: `mw-8b` has the row of `mw-4b`. */
function rowOf(name: string): ThreatList | null {
  return findThreatList({ v5: name }) ?? findThreatList({ v5: name.replace(/-\d+b$/, "-4b") });
}

export const V5: Protocol = {
  maxPrefixes: MAX_SEARCHED_PREFIXES,

  describe(name) {
    const row = rowOf(name);
    const threatType = row?.v5ThreatType ?? null;
    if (row?.v5LikelySafeType === "GENERAL_BROWSING") return { use: "likely-safe", threatType };
    // Other lists of safe objects, such as downloads, say nothing about URLs.
    const isOfNoUse = row !== null && row !== undefined && row.v5LikelySafeType !== null;
    return { use: isOfNoUse ? "none" : "threats", threatType };
  },

  async update(kept, context, signal) {
    const outcomes: ListOutcome[] = [];
    const waits: (number | null)[] = [];
    for (let start = 0; start < kept.length; start += MAX_LISTS) {
      const some = kept.slice(start, start + MAX_LISTS);
      const messages = await requestUpdates(some, context, signal);
      for (const [i, message] of messages.entries()) {
        signal.throwIfAborted();
        const update = { protocol: "v5", message } as const;
        outcomes.push(await appliedOutcome(some[i]!, update, message.version, context, signal));
        waits.push(message.minimumWaitDuration);
      }
    }
    return { outcomes, wait: shortestWait(waits) };
  },

  serverLists,

  search: (prefixes, _lists, context, signal) => searchV5(prefixes, context, signal),
};

/** A full hash, without the threats that must not be used yet (`CANARY`). */
function foundHash({ fullHash, fullHashDetails }: WireHash, duration: number): FoundHash {
  const threats = fullHashDetails.flatMap(({ threatType, attributes }) =>
    threatType === null || attributes.includes("CANARY")
      ? []
      : [{ threatType, isForFrames: attributes.includes("FRAME_ONLY") }],
  );
  return { hash: fullHash.slice(), threats, duration };
}

/** Finds full hashes, on all lists of the server. */
export async function searchV5(
  hashPrefixes: readonly Uint8Array[],
  context: CallContext,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const answer = await call(searchHashes, { hashPrefixes }, "search", context, signal);
  const duration = answer.cacheDuration;
  const hashes = answer.fullHashes.map((found) => foundHash(found, duration ?? 0));
  return { hashes, duration, wait: null };
}
