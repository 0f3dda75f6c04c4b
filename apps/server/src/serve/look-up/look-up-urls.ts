import { isAscii } from "node:buffer";
import type { Match, UrlVerdict } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { searchableLists, unavailable } from "../lists/access.ts";
import { askAhead } from "../lists/find-full-hashes.ts";
import { findOnList, NOT_KEPT } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";

/** The longest URL that is looked up. Every other request waits while one URL is checked. */
export const MAX_URL_BYTES: number = 2 ** 16;
/** How many bytes of URLs are checked at a time. A single URL may be longer. */
const CHUNK_BYTES = 2 ** 14;
const CHUNK_URLS = 256;
/** Up to this many bytes and URLs are checked at once, without waiting for a turn. */
const SHORT_BYTES = 512;
const SHORT_URLS = 8;

/** One expression of a URL whose full hash is on a list. */
export interface ConfirmedMatch extends Pick<Match, "expression" | "reading"> {
  readonly list: ServedList;
}

/** A list that would be needed for a verdict, and why it gives no answer. */
interface MissingAnswer {
  readonly list: string;
  readonly problem: HttpProblem;
}

/** The verdict on one input: what is listed, or why there is no verdict. */
export interface ConfirmedVerdict extends Pick<UrlVerdict, "error"> {
  readonly matches: readonly ConfirmedMatch[];
  /**
   * Why there is no verdict on a URL that is on none of the lists that give an answer; `null` if there is one, or the
   * input is not a URL.
   */
  readonly missing: MissingAnswer | null;
  /** When this verdict expires, in milliseconds since 1970; `Infinity` if only the server's own settings limit it. */
  readonly expires: number;
}

type Searched = Pick<Answering, "lists" | "keys" | "findFullHashes" | "turns" | "checkerOf">;
type Url = string | Uint8Array;

const NO_MATCHES: readonly ConfirmedMatch[] = [];
const TOO_LONG: ConfirmedVerdict = {
  matches: NO_MATCHES,
  error: { code: "too-long", index: null },
  missing: null,
  expires: Infinity,
};

/** A URL that is not ASCII counts as if it were this many times as long, because its host has to be mapped. */
const NOT_ASCII = 4;

/** The length of a URL in bytes. */
export function urlBytes(url: Url): number {
  return typeof url === "string" ? Buffer.byteLength(url) : url.length;
}

function isAsciiUrl(url: Url, bytes: number): boolean {
  return typeof url === "string" ? url.length === bytes : isAscii(url);
}

/** A part of the URLs that is checked without a pause. */
interface Chunk {
  readonly urls: Url[];
  /** The index of each of them among all URLs. */
  readonly indices: number[];
  /** The total length of the URLs in bytes, where URLs that are not ASCII count as longer. */
  weight: number;
}

/** The URLs that are not too long, in chunks. */
function chunksOf(urls: readonly Url[]): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk | undefined;
  for (const [index, url] of urls.entries()) {
    const bytes = urlBytes(url);
    if (bytes > MAX_URL_BYTES) continue;
    const weight = isAsciiUrl(url, bytes) ? bytes : NOT_ASCII * bytes;
    if (
      chunk === undefined ||
      chunk.weight + weight > CHUNK_BYTES ||
      chunk.urls.length === CHUNK_URLS
    ) {
      chunk = { urls: [], indices: [], weight: 0 };
      chunks.push(chunk);
    }
    chunk.urls.push(url);
    chunk.indices.push(index);
    chunk.weight += weight;
  }
  return chunks;
}

/**
 * Returns one verdict for each URL, in order. A URL is listed if one of the lists has the full hash of one of its
 * expressions, in either reading.
 *
 * A few short URLs are checked at once. More or longer URLs are checked in chunks, and each chunk waits for the
 * caller's turn.
 *
 * If a URL is on none of the lists that give an answer, and another list gives no answer, because it may not be served or
 * its full hashes cannot be read, its verdict says so in `missing`. The verdicts on the other URLs do not depend on that.
 */
export async function lookUpUrls(
  urls: readonly Url[],
  lists: readonly ServedList[],
  answering: Searched,
  caller: Caller,
): Promise<ConfirmedVerdict[]> {
  const { turns, checkerOf } = answering;
  const listOf = new Map(
    lists.flatMap((list) => (list.loaded === null ? [] : [[list.loaded.prefixes, list]])),
  );
  const unloaded = lists.find(({ loaded }) => loaded === null);
  const visible = searchableLists(answering, caller.key);
  // If a list has changed since the caller chose the lists, the chosen version must be used.
  const checked = lists.every((list) => visible.includes(list)) ? visible : lists;
  const { checkMany } = checkerOf(checked, answering.lists.all());

  const verdicts = new Array<ConfirmedVerdict>(urls.length).fill(TOO_LONG);
  const chunks = chunksOf(urls);
  const [first] = chunks;
  const isShort =
    chunks.length === 1 && first!.weight <= SHORT_BYTES && first!.urls.length <= SHORT_URLS;
  for (const chunk of chunks) {
    if (!isShort) await turns(caller.network());
    // Take all verdicts at once, because the checker keeps its memory until the last one is taken.
    const found = [...checkMany(chunk.urls)];
    const { isConfirmed, problemOf, expires } = await confirmed(found, listOf, answering, caller);
    for (const [i, verdict] of found.entries()) {
      const { matches } = verdict;
      const kept = matches.length === 0 ? matches : matches.filter(isConfirmed);
      const open = matches.find((match) => problemOf(match) !== null);
      // An undecided host is an error after all if every match was accidental, or on a list that is not searched.
      const isRefuted = matches.length > 0 && kept.length === 0;
      const error = isRefuted ? (verdict.readings?.problem ?? null) : verdict.error;
      let missing: MissingAnswer | null = null;
      if (kept.length === 0 && open !== undefined) {
        missing = { list: listOf.get(open.list)!.name, problem: problemOf(open)! };
      } else if (kept.length === 0 && error === null && unloaded !== undefined) {
        missing = { list: unloaded.name, problem: unavailable(unloaded) };
      }
      verdicts[chunk.indices[i]!] = {
        matches:
          kept.length === 0
            ? NO_MATCHES
            : kept.map(({ expression, reading, list }) => ({
                list: listOf.get(list)!,
                expression,
                reading,
              })),
        error: missing === null ? error : null,
        missing,
        expires: open === undefined && unloaded === undefined ? expires : NOT_KEPT,
      };
    }
  }
  return verdicts;
}

/** Throws if one of the URLs has no verdict, for answers that have no place to say so for a single URL. */
export function checkAnswered(verdicts: readonly Pick<ConfirmedVerdict, "missing">[]): void {
  const problem = verdicts.find(({ missing }) => missing !== null)?.missing?.problem;
  if (problem !== undefined) throw problem;
}

/** Which matches are confirmed, and when this information expires. */
interface Confirmation {
  readonly isConfirmed: (match: Match) => boolean;
  /** Why it is not known whether the list has the full hash; `null` if it is known. */
  readonly problemOf: (match: Match) => HttpProblem | null;
  readonly expires: number;
}

/** Finds out for which matches the list has the full hash. The hashes are looked up in the order of the shards. */
async function confirmed(
  verdicts: readonly UrlVerdict[],
  listOf: ReadonlyMap<PrefixList, ServedList>,
  { findFullHashes }: Searched,
  { network }: Caller,
): Promise<Confirmation> {
  const matches = verdicts.flatMap(({ matches }) => matches);
  const result = new Set<Match>();
  const problems = new Map<Match, HttpProblem>();
  let until = Infinity;
  matches.sort((a, b) => Buffer.compare(a.hash, b.hash));
  const searched = new Set(matches.flatMap(({ list }) => listOf.get(list) ?? []));
  const hashes = matches.map(({ hash }) => hash);
  await askAhead([...searched], hashes, network);
  for (const match of matches) {
    const list = listOf.get(match.list);
    if (list === undefined) continue;
    const found = await findOnList(list, match.hash, findFullHashes, network);
    if (found instanceof HttpProblem) {
      problems.set(match, found);
      continue;
    }
    until = Math.min(until, found.expires);
    if (found.hashes.length > 0) result.add(match);
  }
  return {
    isConfirmed: (match) => result.has(match),
    problemOf: (match) => problems.get(match) ?? null,
    expires: until,
  };
}
