import { wordAt } from "@x/prefix-list/raw-hashes";
import type { MessageInput, ResponseOf, WireRequest } from "@x/wire";
import type {
  BatchGetHashListsRequest,
  BatchGetHashListsResponse,
  FoundHash,
  GetHashListRequest,
  HashList,
  ListHashListsRequest,
  ListHashListsResponse,
  SearchHashesRequest,
  SearchHashesResponse,
  SizeConstraints,
  V5_METHODS,
} from "@x/wire/v5";
import { PREFIX_BYTES } from "../../store/prefix-words.ts";
import { type Exchange, loadedOf, searchableLists, updateOf } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { inShardOrder } from "../lists/find-full-hashes.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { threatRow } from "../lists/threat-rows.ts";
import { forEachInTurn, type MaybePromise, whenReady } from "../maybe-promise.ts";
import { checkNotGone } from "../updates/gone-list.ts";
import { NO_LIMITS, type UpdateLimits } from "../updates/limits.ts";
import { parseToken } from "../updates/update-token.ts";
import { hashListOf, unknownHashList } from "./encode-v5.ts";

type V5Method = (typeof V5_METHODS)[number];

const EMPTY = new Uint8Array(0);
const MAX_PAGE = 100;
/** How many lists one request may name. */
const MAX_LISTS = 100;

/** Answers the methods of Safe Browsing v5. */
export function answerV5(
  request: WireRequest<V5Method>,
  exchange: Exchange,
): MaybePromise<MessageInput<ResponseOf<V5Method>>> {
  switch (request.name) {
    case "v5.hashLists.batchGet":
      return batchGet(request.message, exchange);
    case "v5.hashList.get":
      return getOne(request.message, exchange);
    case "v5.hashLists.list":
      return listLists(request.message, exchange);
    case "v5.hashes.search":
      return search(request.message, exchange);
  }
}

function limitsOf(constraints: SizeConstraints | null): UpdateLimits {
  if (constraints === null) return NO_LIMITS;
  return { update: constraints.maxUpdateEntries, database: constraints.maxDatabaseEntries };
}

async function getOne(
  { name, version, sizeConstraints }: GetHashListRequest,
  exchange: Exchange,
): Promise<MessageInput<HashList>> {
  const served = exchange.answering.lists.all().find(({ row }) => row.v5 === name);
  if (served === undefined) {
    checkNotGone(exchange.answering.lists, version);
    return unknownHashList(name, exchange.answering.wait);
  }
  const update = await updateOf(exchange, served, version, limitsOf(sizeConstraints));
  return hashListOf(update, exchange.answering.wait, exchange.answering.codedUpdates);
}

async function batchGet(
  { names, version: versions, sizeConstraints }: BatchGetHashListsRequest,
  exchange: Exchange,
): Promise<MessageInput<BatchGetHashListsResponse>> {
  if (names.length > MAX_LISTS) {
    throw new HttpProblem(400, `The request names more than ${MAX_LISTS} lists.`);
  }
  // Chromium leaves empty versions out, so the index of a token means nothing. The token itself names its list.
  const tokens = new Map<string | null, Uint8Array>();
  for (const token of versions) {
    const parsed = parseToken(token);
    if (parsed !== null) tokens.set(threatRow(parsed.list).v5, token);
  }
  const hashLists: MessageInput<HashList>[] = [];
  for (const name of names) {
    const version = tokens.get(name) ?? EMPTY;
    hashLists.push(await getOne({ name, version, sizeConstraints }, exchange));
  }
  return { hashLists };
}

function listLists(
  { pageSize, pageToken }: ListHashListsRequest,
  exchange: Exchange,
): MessageInput<ListHashListsResponse> {
  const lists = searchableLists(exchange).filter(({ row }) => row.v5 !== null);
  if (!/^\d{0,6}$/.test(pageToken)) {
    throw new HttpProblem(400, "The pageToken is not from an answer of this server.");
  }
  const start = Number(pageToken);
  const end = start + (pageSize > 0 ? Math.min(pageSize, MAX_PAGE) : MAX_PAGE);
  return {
    hashLists: lists.slice(start, end).map(({ row }) => ({
      name: row.v5!,
      metadata: {
        threatTypes: row.v5ThreatType === null ? [] : [row.v5ThreatType],
        likelySafeTypes: row.v5LikelySafeType === null ? [] : [row.v5LikelySafeType],
        description: row.name,
        hashLength: "FOUR_BYTES",
      },
    })),
    nextPageToken: end < lists.length ? String(end) : "",
  };
}

function search(
  { hashPrefixes }: SearchHashesRequest,
  exchange: Exchange,
): MaybePromise<MessageInput<SearchHashesResponse>> {
  const lists = searchableLists(exchange);
  if (lists.length === 0) {
    throw new HttpProblem(403, "Every list of this server needs an API key.");
  }
  const found: Found[] = [];
  // Most searches are for one hash prefix, which can have no duplicate.
  const searched =
    hashPrefixes.length === 1
      ? findHashes(found, hashPrefixes[0]!, lists, exchange)
      : forEachInTurn(uniquePrefixes(hashPrefixes), (prefix) =>
          findHashes(found, prefix, lists, exchange),
        );
  return whenReady(searched, () => {
    exchange.search = { asked: hashPrefixes.length, found: found.length };
    return { fullHashes: found, cacheDuration: exchange.answering.cache };
  });
}

type Found = MessageInput<FoundHash> & { readonly fullHash: Uint8Array; fullHashDetails: object[] };

/** Adds the full hashes that begin with a prefix. */
function findHashes(
  found: Found[],
  prefix: Uint8Array,
  lists: readonly ServedList[],
  { answering, network }: Exchange,
): MaybePromise<void> {
  const start = found.length;
  return forEachInTurn(lists, (served) => {
    if (served.row.v5ThreatType === null) return;
    return whenReady(answering.findFullHashes(loadedOf(served), prefix, network), (fullHashes) =>
      addFound(found, start, fullHashes, served),
    );
  });
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("latin1");

/** Adds the full hashes of one more list. Hashes from `start` on have the same prefix and may be duplicates. */
function addFound(
  found: Found[],
  start: number,
  fullHashes: readonly Uint8Array[],
  { row }: ServedList,
): void {
  if (fullHashes.length === 0) return;
  const isFirst = start === found.length;
  const known = isFirst
    ? null
    : new Map(found.slice(start).map((each) => [keyOf(each.fullHash), each]));
  for (const fullHash of fullHashes) {
    const detail = { threatType: row.v5ThreatType, attributes: [] };
    const same = known?.get(keyOf(fullHash));
    if (same === undefined) found.push({ fullHash, fullHashDetails: [detail] });
    else same.fullHashDetails.push(detail);
  }
}

function uniquePrefixes(prefixes: readonly Uint8Array[]): Uint8Array[] {
  const unique = new Map(prefixes.map((each) => [wordAt(each, 0), each]));
  return inShardOrder([...unique.values()]).map((each) => each.subarray(0, PREFIX_BYTES));
}
