import type { MessageInput, ResponseOf, WireRequest } from "@x/wire";
import type {
  FetchThreatListUpdatesRequest,
  FetchThreatListUpdatesResponse,
  FindFullHashesRequest,
  FindFullHashesResponse,
  FindThreatMatchesRequest,
  FindThreatMatchesResponse,
  ListThreatListsResponse,
  ListUpdateRequest,
  ListUpdateResponse,
  ThreatInfo,
  ThreatMatch,
  V4_METHODS,
} from "@x/wire/v4";
import { type Exchange, listsAskedFor, loadedOf, searchableLists, updateOf } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { inShardOrder } from "../lists/find-full-hashes.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { listsWithUrls } from "../look-up/lists-with-urls.ts";
import { checkNotGone } from "../updates/gone-list.ts";
import { MAX_RAW_REMOVALS, NO_LIMITS, type UpdateLimits } from "../updates/limits.ts";
import { listUpdateOf, unknownListUpdate } from "./encode-v4.ts";

type V4Method = (typeof V4_METHODS)[number];

/** How many lists, hashes and URLs one request may name. */
const MAX_LISTS = 100;
/** How many updates of one list an answer may have: it has as many platforms, and one list a second name. */
const MAX_UPDATES = 16;
const MAX_HASHES = 1000;
const MAX_URLS = 500;

/** Answers the methods of Safe Browsing v4. */
export async function answerV4(
  request: WireRequest<V4Method>,
  exchange: Exchange,
): Promise<MessageInput<ResponseOf<V4Method>>> {
  switch (request.name) {
    case "v4.threatListUpdates.fetch":
      return fetchUpdates(request.message, exchange);
    case "v4.fullHashes.find":
      return findFullHashes(request.message, exchange);
    case "v4.threatMatches.find":
      return findThreatMatches(request.message, exchange);
    case "v4.threatLists.list":
      return listThreatLists(exchange);
  }
}

function checkCount(count: number, most: number, what: string): void {
  if (count > most) throw new HttpProblem(400, `The request names more than ${most} ${what}.`);
}

function limitsOf({ constraints }: ListUpdateRequest): UpdateLimits {
  if (constraints === null) return NO_LIMITS;
  return { update: constraints.maxUpdateEntries, database: constraints.maxDatabaseEntries };
}

/** Every answer has one update for each one asked for, in that order, with the same three types. */
async function fetchUpdates(
  { listUpdateRequests }: FetchThreatListUpdatesRequest,
  exchange: Exchange,
): Promise<MessageInput<FetchThreatListUpdatesResponse>> {
  checkCount(listUpdateRequests.length, MAX_LISTS, "lists");
  checkDifferent(listUpdateRequests);
  const listUpdateResponses: MessageInput<ListUpdateResponse>[] = [];
  const coded = exchange.answering.codedUpdates;
  let rawRemovals = 0;
  const counts = new Map<ServedList, number>();
  for (const asked of listUpdateRequests) {
    const served =
      asked.threatEntryType === "URL"
        ? exchange.answering.lists
            .all()
            .find(({ row }) => row.v4.some((type) => type === asked.threatType))
        : undefined;
    if (served !== undefined) {
      const count = (counts.get(served) ?? 0) + 1;
      if (count > MAX_UPDATES) throw tooManyUpdates();
      counts.set(served, count);
    }
    if (served === undefined) {
      checkNotGone(exchange.answering.lists, asked.state);
      listUpdateResponses.push(unknownListUpdate(asked));
      continue;
    }
    const isRaw = !asked.constraints?.supportedCompressions.includes("RICE");
    const limits = {
      ...limitsOf(asked),
      ...(isRaw && { removals: MAX_RAW_REMOVALS - rawRemovals }),
    };
    const update = await updateOf(exchange, served, asked.state, limits);
    if (isRaw && update.kind === "partial") rawRemovals += update.difference.removals.length;
    listUpdateResponses.push(await listUpdateOf(update, asked, coded));
  }
  return { listUpdateResponses, minimumWaitDuration: exchange.answering.wait };
}

/** Throws when a request asks for the same update twice. */
function checkDifferent(asked: readonly ListUpdateRequest[]): void {
  const different = new Set(
    asked.map((each) => `${each.threatType} ${each.platformType} ${each.threatEntryType}`),
  );
  if (different.size < asked.length) {
    throw new HttpProblem(
      400,
      "The request names a list twice, with the same platform and entry type.",
    );
  }
}

function tooManyUpdates(): HttpProblem {
  return new HttpProblem(400, `The request names one list more than ${MAX_UPDATES} times.`);
}

function missing(field: string): HttpProblem {
  return new HttpProblem(400, `The request has no known ${field}.`);
}

/** The lists that a request asks about. */
function listsOf({ threatTypes, threatEntryTypes }: ThreatInfo, exchange: Exchange): ServedList[] {
  if (threatTypes.length === 0) throw missing("threatTypes");
  if (threatEntryTypes.length === 0) throw missing("threatEntryTypes");
  if (!threatEntryTypes.includes("URL")) return [];
  return listsAskedFor(exchange, ({ row }) => row.v4.some((type) => threatTypes.includes(type)));
}

function matchOf(
  { row }: ServedList,
  { threatTypes, platformTypes }: ThreatInfo,
  threat: { hash: Uint8Array } | { url: string },
  cacheDuration: number,
): MessageInput<ThreatMatch> {
  return {
    threatType: row.v4.find((type) => threatTypes.includes(type))!,
    platformType: platformTypes[0] ?? "ANY_PLATFORM",
    threatEntryType: "URL",
    threat,
    cacheDuration,
  };
}

async function findFullHashes(
  { threatInfo }: FindFullHashesRequest,
  exchange: Exchange,
): Promise<MessageInput<FindFullHashesResponse>> {
  const entries = threatInfo?.threatEntries ?? [];
  checkCount(entries.length, MAX_HASHES, "hashes");
  const matches: MessageInput<ThreatMatch>[] = [];
  const prefixes = inShardOrder(entries.map(({ hash }) => hash));
  const { findFullHashes: find } = exchange.answering;
  for (const served of threatInfo === null ? [] : listsOf(threatInfo, exchange)) {
    const found = new Map<string, Uint8Array>();
    for (const prefix of prefixes) {
      for (const full of await find(loadedOf(served), prefix, exchange.network)) {
        found.set(Buffer.from(full).toString("latin1"), full);
      }
    }
    for (const hash of found.values()) {
      const match = matchOf(served, threatInfo!, { hash }, exchange.answering.cache);
      // Some clients, such as gglsbl, cannot read a match without metadata.
      matches.push({ ...match, threatEntryMetadata: {} });
    }
  }
  exchange.search = { asked: entries.length, found: matches.length };
  return { matches, minimumWaitDuration: 0, negativeCacheDuration: exchange.answering.cache };
}

/** Which of the given URLs are listed. */
async function findThreatMatches(
  { threatInfo }: FindThreatMatchesRequest,
  exchange: Exchange,
): Promise<MessageInput<FindThreatMatchesResponse>> {
  const entries = threatInfo?.threatEntries ?? [];
  if (threatInfo === null || entries.length === 0) {
    throw new HttpProblem(400, "The request has no threatEntries.");
  }
  checkCount(entries.length, MAX_URLS, "URLs");
  const matches: MessageInput<ThreatMatch>[] = [];
  const lists = listsOf(threatInfo, exchange);
  const { answering } = exchange;
  const urls = entries.map(({ url }) => url);
  const found = await listsWithUrls(urls, lists, answering, exchange);
  for (const [i, url] of urls.entries()) {
    for (const served of found[i]!) {
      matches.push(matchOf(served, threatInfo, { url }, answering.cache));
    }
  }
  exchange.search = { asked: entries.length, found: matches.length };
  return { matches };
}

function listThreatLists(exchange: Exchange): MessageInput<ListThreatListsResponse> {
  return {
    threatLists: searchableLists(exchange).flatMap(({ row }) =>
      row.v4.map((threatType) => ({
        threatType,
        platformType: "ANY_PLATFORM" as const,
        threatEntryType: "URL" as const,
      })),
    ),
  };
}
