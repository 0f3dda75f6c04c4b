import { PREFIX_BYTES } from "@x/list-store/serving";
import type {
  computeThreatListDiff,
  searchHashes,
  searchUris,
  ThreatHash,
  ThreatType,
} from "@x/wire/web-risk";
import type { Answering, Caller } from "../answering.ts";
import { checkSome, listsAskedFor } from "../api-keys.ts";
import { HttpProblem } from "../http/reply.ts";
import { searchLists } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { checkNotGone, MAX_RAW_REMOVALS } from "../updates/decide-update.ts";
import { answered, type Call, keyOf, timeIn, updateOf } from "./call.ts";
import { threatListDiffOf } from "./encode-updates.ts";
import { listsWithUrls } from "./matches-of-urls.ts";

/* The methods of Web Risk v1. */

export const computeDiff: Call<typeof computeThreatListDiff> = async (
  { threatType, versionToken, constraints },
  caller,
  answering,
) => {
  if (threatType === null) throw new HttpProblem(400, "The request has no known threatType.");
  const { lists, wait, codedUpdates } = answering;
  const compressions = constraints?.supportedCompressions ?? [];
  const { time, expires } = timeIn(wait, answering);
  const served = lists.all().find(({ row }) => row.webRisk === threatType);
  if (served === undefined) {
    checkNotGone(lists, versionToken);
    const message = await threatListDiffOf(null, compressions, time, codedUpdates);
    return answered(answering, message, { expires });
  }
  const limits = {
    update: constraints?.maxDiffEntries ?? 0,
    database: constraints?.maxDatabaseEntries ?? 0,
    ...(!compressions.includes("RICE") && { removals: MAX_RAW_REMOVALS }),
  };
  const wanted = { prefixBytes: PREFIX_BYTES, token: versionToken, limits };
  const { update, facts } = await updateOf(served, wanted, caller, answering);
  const message = await threatListDiffOf(update, compressions, time, codedUpdates);
  return answered(answering, message, { updates: [facts], expires });
};

/** The lists that a search asks about, by threat type. */
function listsOf(
  threatTypes: readonly ThreatType[],
  { key }: Caller,
  answering: Answering,
): readonly ServedList[] {
  if (threatTypes.length === 0) throw new HttpProblem(400, "The request has no known threatTypes.");
  const asked = new Set<ThreatType | null>(threatTypes);
  const isAskedFor = ({ row }: ServedList) => row.webRisk !== null && asked.has(row.webRisk);
  const lists = listsAskedFor(answering, key, isAskedFor);
  checkSome(lists);
  return lists;
}

export const searchByPrefix: Call<typeof searchHashes> = async (
  { hashPrefix, threatTypes },
  caller,
  answering,
) => {
  const found = new Map<string, { hash: Uint8Array; threatTypes: ThreatType[] }>();
  const lists = listsOf(threatTypes, caller, answering);
  const until = await searchLists(
    [hashPrefix],
    lists,
    answering,
    caller.network,
    ({ hashes }, list) => {
      for (const hash of hashes) {
        const key = keyOf(hash);
        const entry = found.get(key) ?? { hash, threatTypes: [] };
        entry.threatTypes.push(list.row.webRisk!);
        found.set(key, entry);
      }
    },
  );
  const { time: expireTime, expires } = timeIn(answering.cache, answering, until);
  const threats = [...found.values()].map((each): ThreatHash => ({ ...each, expireTime }));
  const message = { threats, negativeExpireTime: expireTime };
  const search = { asked: 1, found: found.size };
  return answered(answering, message, { lists, search, expires });
};

export const searchByUri: Call<typeof searchUris> = async (
  { uri, threatTypes },
  caller,
  answering,
) => {
  const lists = listsOf(threatTypes, caller, answering);
  const result = await listsWithUrls([uri], lists, answering, caller, () => "uri");
  const [found = []] = result.found;
  const { time, expires } = timeIn(answering.cache, answering, result.expires);
  if (found.length === 0) {
    // This answer has no expiry time of its own, so only an expiry time from another server limits caching.
    const limit = result.expires === Infinity ? null : expires;
    const search = { asked: 1, found: 0 };
    return answered(answering, { threat: null }, { lists, search, expires: limit });
  }
  const threat = { threatTypes: found.map(({ row }) => row.webRisk!), expireTime: time };
  return answered(answering, { threat }, { lists, search: { asked: 1, found: 1 }, expires });
};
