import type { MessageInput, ResponseOf, WireRequest } from "@x/wire";
import type {
  ComputeThreatListDiffRequest,
  ComputeThreatListDiffResponse,
  SearchHashesRequest,
  SearchHashesResponse,
  SearchUrisRequest,
  SearchUrisResponse,
  ThreatHash,
  ThreatType,
  WEB_RISK_METHODS,
} from "@x/wire/web-risk";
import { type Exchange, listsAskedFor, loadedOf, updateOf } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { listsWithUrls } from "../look-up/lists-with-urls.ts";
import { checkNotGone } from "../updates/gone-list.ts";
import { MAX_RAW_REMOVALS } from "../updates/limits.ts";
import { threatListDiffOf, unknownThreatListDiff } from "./encode-web-risk.ts";

type WebRiskMethod = (typeof WEB_RISK_METHODS)[number];

/** Answers the methods of Web Risk v1. */
export async function answerWebRisk(
  request: WireRequest<WebRiskMethod>,
  exchange: Exchange,
): Promise<MessageInput<ResponseOf<WebRiskMethod>>> {
  switch (request.name) {
    case "webRisk.threatLists.computeDiff":
      return computeDiff(request.message, exchange);
    case "webRisk.hashes.search":
      return searchHashes(request.message, exchange);
    case "webRisk.uris.search":
      return searchUris(request.message, exchange);
  }
}

/**
 * The time so many milliseconds from now. Caches may keep the answer until half of them have passed, so that its
 * time is never in the past: clients that are told to ask again in the past would ask without a pause.
 */
function timeIn(milliseconds: number, exchange: Exchange): number {
  const { now, cache } = exchange.answering;
  const start = now();
  exchange.expires = start + Math.min(cache, milliseconds / 2);
  return start + milliseconds;
}

async function computeDiff(
  { threatType, versionToken, constraints }: ComputeThreatListDiffRequest,
  exchange: Exchange,
): Promise<MessageInput<ComputeThreatListDiffResponse>> {
  if (threatType === null) throw new HttpProblem(400, "The request has no known threatType.");
  const { lists, wait } = exchange.answering;
  const facts = {
    supportedCompressions: constraints?.supportedCompressions ?? [],
    recommendedNextDiff: timeIn(wait, exchange),
  };
  const served = lists.all().find(({ row }) => row.webRisk === threatType);
  if (served === undefined) {
    checkNotGone(lists, versionToken);
    return unknownThreatListDiff(facts);
  }
  const limits = {
    update: constraints?.maxDiffEntries ?? 0,
    database: constraints?.maxDatabaseEntries ?? 0,
    ...(!facts.supportedCompressions.includes("RICE") && { removals: MAX_RAW_REMOVALS }),
  };
  const update = await updateOf(exchange, served, versionToken, limits);
  return threatListDiffOf(update, facts, exchange.answering.codedUpdates);
}

/** The lists that a search asks about, by threat type. */
function listsOf(threatTypes: readonly ThreatType[], exchange: Exchange): ServedList[] {
  if (threatTypes.length === 0) throw new HttpProblem(400, "The request has no known threatTypes.");
  const asked = new Set<ThreatType | null>(threatTypes);
  return listsAskedFor(exchange, ({ row }) => row.webRisk !== null && asked.has(row.webRisk));
}

async function searchHashes(
  { hashPrefix, threatTypes }: SearchHashesRequest,
  exchange: Exchange,
): Promise<MessageInput<SearchHashesResponse>> {
  const { findFullHashes, cache } = exchange.answering;
  const found = new Map<string, { hash: Uint8Array; threatTypes: ThreatType[] }>();
  for (const served of listsOf(threatTypes, exchange)) {
    for (const hash of await findFullHashes(loadedOf(served), hashPrefix, exchange.network)) {
      const key = Buffer.from(hash).toString("latin1");
      const entry = found.get(key) ?? { hash, threatTypes: [] };
      entry.threatTypes.push(served.row.webRisk!);
      found.set(key, entry);
    }
  }
  exchange.search = { asked: 1, found: found.size };
  const expireTime = timeIn(cache, exchange);
  const threats = [...found.values()].map((each): ThreatHash => ({ ...each, expireTime }));
  return { threats, negativeExpireTime: expireTime };
}

async function searchUris(
  { uri, threatTypes }: SearchUrisRequest,
  exchange: Exchange,
): Promise<MessageInput<SearchUrisResponse>> {
  const { answering } = exchange;
  const lists = listsOf(threatTypes, exchange);
  const [found = []] = await listsWithUrls([uri], lists, answering, exchange);
  exchange.search = { asked: 1, found: found.length === 0 ? 0 : 1 };
  if (found.length === 0) return { threat: null };
  return {
    threat: {
      threatTypes: found.map(({ row }) => row.webRisk!),
      expireTime: timeIn(answering.cache, exchange),
    },
  };
}
