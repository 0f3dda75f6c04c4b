import { PREFIX_BYTES } from "@x/list-store/serving";
import { wordAt } from "@x/prefix-list/raw-hashes";
import type { MessageInput } from "@x/wire";
import type {
  batchGetHashLists,
  FoundHash,
  getHashList,
  HashLength,
  HashList,
  listHashLists,
  SizeConstraints,
  searchHashes,
  searchUrls,
  ThreatAttribute,
  ThreatType,
} from "@x/wire/v5";
import type { Answering, MethodCaller } from "../answering.ts";
import { checkKnown, searchableLists } from "../api-keys.ts";
import { HttpProblem } from "../http/reply.ts";
import { inHashOrder, searchLists } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { threatRow, v5NameOf } from "../lists/threat-rows.ts";
import type { UpdateAsked } from "../updates/decide-update.ts";
import {
  checkNotGone,
  NO_LIMITS,
  parseToken,
  type UpdateLimits,
} from "../updates/decide-update.ts";
import { answered, type Call, durationUntil, keyOf, type UpdateFacts, updateOf } from "./call.ts";
import { hashListOf } from "./encode-updates.ts";
import { matchesOfUrls } from "./matches-of-urls.ts";

/* The methods of Safe Browsing v5. */

const EMPTY = new Uint8Array(0);
const MAX_PAGE = 100;
/** How many lists one request may name. */
const MAX_LISTS = 100;

function limitsIn(constraints: SizeConstraints | null): UpdateLimits {
  if (constraints === null) return NO_LIMITS;
  return { update: constraints.maxUpdateEntries, database: constraints.maxDatabaseEntries };
}

/** The names of prefix lengths in `HashListMetadata`, by the length in bytes. */
const HASH_LENGTHS: Readonly<Record<number, HashLength>> = {
  4: "FOUR_BYTES",
  8: "EIGHT_BYTES",
  16: "SIXTEEN_BYTES",
  32: "THIRTY_TWO_BYTES",
};

/** The prefixes of a list, all of one length, that have a name of their own in v5. */
interface NamedPrefixes {
  readonly name: string;
  readonly list: ServedList;
  readonly prefixBytes: number;
}

/** The names of a list in v5, one for each prefix length. */
function namesOf(list: ServedList): NamedPrefixes[] {
  const { row, longer = [] } = list;
  if (row.v5 === null) return [];
  const own = { name: row.v5, list, prefixBytes: PREFIX_BYTES };
  return [own, ...longer.map(({ name, prefixBytes }) => ({ name, list, prefixBytes }))];
}

/** The prefixes that have this name in v5; `undefined` if there are none. */
function findNamed(lists: readonly ServedList[], name: string): NamedPrefixes | undefined {
  for (const list of lists) {
    if (list.row.v5 === name) return { name, list, prefixBytes: PREFIX_BYTES };
    const longer = list.longer?.find((each) => each.name === name);
    if (longer !== undefined) return { name, list, prefixBytes: longer.prefixBytes };
  }
  return undefined;
}

/** The update of the list that has this name in v5, with the facts about the update if the list exists. */
async function updateNamed(
  { name, ...asked }: Omit<UpdateAsked, "prefixBytes"> & { readonly name: string },
  caller: MethodCaller,
  answering: Answering,
): Promise<{ readonly message: MessageInput<HashList>; readonly facts: readonly UpdateFacts[] }> {
  const { lists, wait, codedUpdates } = answering;
  const found = findNamed(lists.all(), name);
  if (found === undefined) {
    checkNotGone(lists, asked.token);
    return { message: await hashListOf(null, name, wait, codedUpdates), facts: [] };
  }
  const { list, prefixBytes } = found;
  const { update, facts } = await updateOf(list, { ...asked, prefixBytes }, caller, answering);
  return { message: await hashListOf(update, name, wait, codedUpdates), facts: [facts] };
}

export const getOne: Call<typeof getHashList> = async (asked, caller, answering) => {
  const { name, version: token, sizeConstraints } = asked;
  const limits = limitsIn(sizeConstraints);
  const { message, facts } = await updateNamed({ name, token, limits }, caller, answering);
  return answered(answering, message, { updates: facts });
};

export const batchGet: Call<typeof batchGetHashLists> = async (asked, caller, answering) => {
  const { names, version: versions, sizeConstraints } = asked;
  if (names.length > MAX_LISTS) {
    throw new HttpProblem(400, `The request names more than ${MAX_LISTS} lists.`);
  }
  // Chromium leaves out empty versions, so the position of a token means nothing. The token itself names its list.
  const tokens = new Map<string | null, Uint8Array>();
  for (const token of versions) {
    const parsed = parseToken(token);
    if (parsed !== null) tokens.set(v5NameOf(threatRow(parsed.list), parsed.prefixBytes), token);
  }
  const limits = limitsIn(sizeConstraints);
  const hashLists: MessageInput<HashList>[] = [];
  const updates: UpdateFacts[] = [];
  for (const name of names) {
    const token = tokens.get(name) ?? EMPTY;
    const { message, facts } = await updateNamed({ name, token, limits }, caller, answering);
    hashLists.push(message);
    updates.push(...facts);
  }
  return answered(answering, { hashLists }, { updates });
};

export const listAll: Call<typeof listHashLists> = async (
  { pageSize, pageToken },
  caller,
  answering,
) => {
  const searchable = searchableLists(answering, caller.key);
  const named = searchable.flatMap(namesOf);
  if (!/^\d{0,6}$/.test(pageToken)) {
    throw new HttpProblem(400, "The pageToken was not issued by this server.");
  }
  const start = Number(pageToken);
  const end = start + (pageSize > 0 ? Math.min(pageSize, MAX_PAGE) : MAX_PAGE);
  const message = {
    hashLists: named.slice(start, end).map(({ name, list: { row }, prefixBytes }) => ({
      name,
      metadata: {
        threatTypes: row.v5ThreatType === null ? [] : [row.v5ThreatType],
        likelySafeTypes: row.v5LikelySafeType === null ? [] : [row.v5LikelySafeType],
        description: row.name,
        hashLength: HASH_LENGTHS[prefixBytes]!,
      },
    })),
    nextPageToken: end < named.length ? String(end) : "",
  };
  return answered(answering, message, { lists: searchable });
};

/**
 * The lists that a search asks about. A search in v5 names no lists, so it asks about the public lists and those that
 * the key opens.
 */
function searchedLists({ key }: MethodCaller, answering: Answering): readonly ServedList[] {
  checkKnown(answering, key);
  const lists = searchableLists(answering, key);
  if (lists.length === 0) {
    throw new HttpProblem(403, "Every list of this server needs an API key.");
  }
  return lists;
}

export const search: Call<typeof searchHashes> = async ({ hashPrefixes }, caller, answering) => {
  const lists = searchedLists(caller, answering);
  // Most searches are for one hash prefix, which can have no duplicate.
  const prefixes = hashPrefixes.length === 1 ? hashPrefixes : uniquePrefixes(hashPrefixes);
  const fullHashes: FoundDetails[] = [];
  let start = 0;
  let last: Uint8Array | null = null;
  const until = await searchLists(
    prefixes,
    lists.filter(isSearched),
    answering,
    caller.network,
    ({ hashes, forFrames }, list, prefix) => {
      if (prefix !== last) start = fullHashes.length;
      last = prefix;
      addFound(fullHashes, start, { hashes, list, attributes: [] });
      addFound(fullHashes, start, { hashes: forFrames, list, attributes: ["FRAME_ONLY"] });
    },
  );
  const { duration, expires } = durationUntil(until, answering);
  const message = { fullHashes, cacheDuration: duration };
  const facts = { asked: hashPrefixes.length, found: fullHashes.length };
  return answered(answering, message, { lists, search: facts, expires });
};

/** Whether a list is searched: v5 clients skip hashes without a known threat type. */
const isSearched = ({ row }: ServedList) => row.v5ThreatType !== null;

type FoundDetails = MessageInput<FoundHash> & {
  readonly fullHash: Uint8Array;
  fullHashDetails: object[];
};

/** Full hashes that were found on a list. */
interface FoundInList {
  readonly hashes: readonly Uint8Array[];
  readonly list: ServedList;
  readonly attributes: readonly ThreatAttribute[];
}

/** Adds the full hashes of one more list. Hashes from index `start` on have the same prefix and may be duplicates. */
function addFound(
  found: FoundDetails[],
  start: number,
  { hashes, list, attributes }: FoundInList,
): void {
  if (hashes.length === 0) return;
  const isFirst = start === found.length;
  const known = isFirst
    ? null
    : new Map(found.slice(start).map((each) => [keyOf(each.fullHash), each]));
  for (const fullHash of hashes) {
    const detail = { threatType: list.row.v5ThreatType, attributes };
    const same = known?.get(keyOf(fullHash));
    if (same === undefined) found.push({ fullHash, fullHashDetails: [detail] });
    else same.fullHashDetails.push(detail);
  }
}

/** Finds the listed expressions of URLs. An expression is in the answer only once, even if several URLs have it. */
export const searchByUrl: Call<typeof searchUrls> = async ({ urls }, caller, answering) => {
  const lists = searchedLists(caller, answering);
  const searched = lists.filter(isSearched);
  const fieldOf = (index: number) => `urls[${index}]`;
  const result = await matchesOfUrls(urls, searched, answering, caller, fieldOf);
  const threats = new Map<string, Set<ThreatType>>();
  for (const { expression, list } of result.found.flat()) {
    const types = threats.get(expression) ?? new Set();
    threats.set(expression, types.add(list.row.v5ThreatType!));
  }
  const { duration, expires } = durationUntil(result.expires, answering);
  const message = {
    threats: [...threats].map(([url, types]) => ({ url, threatTypes: [...types] })),
    cacheDuration: duration,
  };
  const found = result.found.filter((matches) => matches.length > 0).length;
  return answered(answering, message, { lists, search: { asked: urls.length, found }, expires });
};

function uniquePrefixes(prefixes: readonly Uint8Array[]): Uint8Array[] {
  const unique = new Map(prefixes.map((each) => [wordAt(each, 0), each]));
  return inHashOrder([...unique.values()]).map((each) => each.subarray(0, PREFIX_BYTES));
}
