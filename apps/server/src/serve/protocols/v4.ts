import { PREFIX_BYTES } from "@x/list-store/serving";
import type { MessageInput } from "@x/wire";
import type {
  fetchThreatListUpdates,
  findFullHashes,
  findThreatMatches,
  ListUpdateRequest,
  ListUpdateResponse,
  listThreatLists,
  ThreatInfo,
  ThreatMatch,
} from "@x/wire/v4";
import type { Answering, Caller } from "../answering.ts";
import { checkSome, listsAskedFor, searchableLists } from "../api-keys.ts";
import { HttpProblem } from "../http/reply.ts";
import { inHashOrder, searchLists } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { checkNotGone, MAX_RAW_REMOVALS } from "../updates/decide-update.ts";
import { answered, type Call, durationUntil, keyOf, type UpdateFacts, updateOf } from "./call.ts";
import { listUpdateOf } from "./encode-updates.ts";
import { listsWithUrls } from "./matches-of-urls.ts";

/* The methods of Safe Browsing v4. */

/** How many lists one request may name. */
const MAX_LISTS = 100;
/**
 * How many updates of one list an answer may have: one for each of the eight platforms, under each of the two names
 * that one list has.
 */
const MAX_UPDATES = 16;
/** How many hashes one request may name. */
const MAX_HASHES = 1000;
/** How many URLs one request may name. */
const MAX_URLS = 500;
/** How many matches an answer may have. A request may name thousands of platforms, and each has its own matches. */
const MAX_MATCHES = 5000;

function checkCount(count: number, most: number, what: string): void {
  if (count > most) throw new HttpProblem(400, `The request names more than ${most} ${what}.`);
}

/** An answer has one update for each one that was requested, in the same order and with the same three types. */
export const fetchUpdates: Call<typeof fetchThreatListUpdates> = async (
  { listUpdateRequests },
  caller,
  answering,
) => {
  checkCount(listUpdateRequests.length, MAX_LISTS, "lists");
  checkDifferent(listUpdateRequests);
  const listUpdateResponses: MessageInput<ListUpdateResponse>[] = [];
  const { lists, codedUpdates, wait } = answering;
  const updates: UpdateFacts[] = [];
  const counts = new Map<ServedList, number>();
  let rawRemovals = 0;
  for (const asked of listUpdateRequests) {
    const served = listOf(asked, lists.all());
    if (served === undefined) {
      checkNotGone(lists, asked.state);
      listUpdateResponses.push(await listUpdateOf(null, asked, codedUpdates));
      continue;
    }
    const count = (counts.get(served) ?? 0) + 1;
    if (count > MAX_UPDATES) {
      throw new HttpProblem(400, `The request names one list more than ${MAX_UPDATES} times.`);
    }
    counts.set(served, count);
    const isRaw = !asked.constraints?.supportedCompressions.includes("RICE");
    const limits = {
      update: asked.constraints?.maxUpdateEntries ?? 0,
      database: asked.constraints?.maxDatabaseEntries ?? 0,
      ...(isRaw && { removals: MAX_RAW_REMOVALS - rawRemovals }),
    };
    const { update, facts } = await updateOf(
      served,
      { prefixBytes: PREFIX_BYTES, token: asked.state, limits },
      caller,
      answering,
    );
    updates.push(facts);
    if (isRaw && update.kind === "partial") rawRemovals += update.difference.removals.length;
    listUpdateResponses.push(await listUpdateOf(update, asked, codedUpdates));
  }
  return answered(answering, { listUpdateResponses, minimumWaitDuration: wait }, { updates });
};

/** The list whose update is requested; `undefined` when the list is not in the store. */
function listOf(
  { threatType, threatEntryType }: ListUpdateRequest,
  lists: readonly ServedList[],
): ServedList | undefined {
  if (threatEntryType !== "URL") return undefined;
  return lists.find(({ row }) => row.v4.some((type) => type === threatType));
}

/** Throws if a request asks for the same update twice. */
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

function missing(field: string): HttpProblem {
  return new HttpProblem(400, `The request has no known ${field}.`);
}

/** The lists that a request asks about. */
function listsOf(
  { threatTypes, threatEntryTypes }: ThreatInfo,
  { key }: Caller,
  answering: Answering,
): readonly ServedList[] {
  if (threatTypes.length === 0) throw missing("threatTypes");
  if (threatEntryTypes.length === 0) throw missing("threatEntryTypes");
  if (!threatEntryTypes.includes("URL")) return [];
  return listsAskedFor(answering, key, ({ row }) =>
    row.v4.some((type) => threatTypes.includes(type)),
  );
}

/** An entry that was found on a list. */
interface Found {
  readonly served: ServedList;
  readonly threat: { readonly hash: Uint8Array } | { readonly url: string };
}

/**
 * The matches for the entries that were found: one for each combination of the request's types that names the list.
 * Clients keep only matches with exactly the name of one of their own lists.
 */
function matchesOf(
  found: readonly Found[],
  { threatTypes, platformTypes }: ThreatInfo,
  cacheDuration: number,
): MessageInput<ThreatMatch>[] {
  const asked = new Set(threatTypes);
  const platforms = new Set(platformTypes.length === 0 ? ["ANY_PLATFORM" as const] : platformTypes);
  const matches: MessageInput<ThreatMatch>[] = [];
  for (const { served, threat } of found) {
    for (const threatType of served.row.v4.filter((type) => asked.has(type))) {
      for (const platformType of platforms) {
        if (matches.length === MAX_MATCHES) {
          throw new HttpProblem(400, `The answer would have more than ${MAX_MATCHES} matches.`);
        }
        matches.push({ threatType, platformType, threatEntryType: "URL", threat, cacheDuration });
      }
    }
  }
  return matches;
}

export const findHashes: Call<typeof findFullHashes> = async (
  { threatInfo },
  caller,
  answering,
) => {
  const entries = threatInfo?.threatEntries ?? [];
  checkCount(entries.length, MAX_HASHES, "hashes");
  const prefixes = inHashOrder(entries.map(({ hash }) => hash));
  const lists = threatInfo === null ? [] : listsOf(threatInfo, caller, answering);
  const foundOn = new Map(lists.map((list) => [list, new Map<string, Uint8Array>()]));
  const until = await searchLists(
    prefixes,
    lists,
    answering,
    caller.network,
    ({ hashes }, list) => {
      for (const full of hashes) foundOn.get(list)!.set(keyOf(full), full);
    },
  );
  const { duration, expires } = durationUntil(until, answering);
  const found = [...foundOn].flatMap(([served, hashes]) =>
    [...hashes.values()].map((hash) => ({ served, threat: { hash } })),
  );
  const matches = threatInfo === null ? [] : matchesOf(found, threatInfo, duration);
  const message = {
    // Some clients, such as gglsbl, cannot read a match without metadata.
    matches: matches.map((match) => ({ ...match, threatEntryMetadata: {} })),
    minimumWaitDuration: 0,
    negativeCacheDuration: duration,
  };
  const search = { asked: entries.length, found: found.length };
  return answered(answering, message, { lists, search, expires });
};

export const findMatches: Call<typeof findThreatMatches> = async (
  { threatInfo },
  caller,
  answering,
) => {
  const entries = threatInfo?.threatEntries ?? [];
  if (threatInfo === null || entries.length === 0) {
    throw new HttpProblem(400, "The request has no threatEntries.");
  }
  checkCount(entries.length, MAX_URLS, "URLs");
  const lists = listsOf(threatInfo, caller, answering);
  checkSome(lists);
  const urls = entries.map(({ url }) => url);
  const fieldOf = (index: number) => `threatInfo.threatEntries[${index}].url`;
  const result = await listsWithUrls(urls, lists, answering, caller, fieldOf);
  const { duration, expires } = durationUntil(result.expires, answering);
  const found = urls.flatMap((url, i) =>
    result.found[i]!.map((served) => ({ served, threat: { url } })),
  );
  const matches = matchesOf(found, threatInfo, duration);
  const search = { asked: entries.length, found: found.length };
  return answered(answering, { matches }, { lists, search, expires });
};

export const listLists: Call<typeof listThreatLists> = async (_asked, { key }, answering) => {
  const lists = searchableLists(answering, key);
  const threatLists = lists.flatMap(({ row }) =>
    row.v4.map((threatType) => ({
      threatType,
      platformType: "ANY_PLATFORM" as const,
      threatEntryType: "URL" as const,
    })),
  );
  return answered(answering, { threatLists }, { lists });
};
