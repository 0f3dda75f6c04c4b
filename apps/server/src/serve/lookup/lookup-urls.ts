import { isAscii } from "node:buffer";
import type { Match, UrlVerdict } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { Answering, Caller } from "../answering.ts";
import { searchableLists } from "../api-keys.ts";
import { HttpProblem } from "../http/reply.ts";
import { askAhead, findOnList, NOT_KEPT } from "../lists/search-lists.ts";
import { type ServedList, unavailable } from "../lists/served-lists.ts";

/** How many bytes of URLs are checked at a time. A single URL may be longer. */
const CHUNK_BYTES = 2 ** 14;
const CHUNK_URLS = 256;
/** With more lists than this, chunks have fewer URLs, because each URL may be on all lists. */
const FEW_LISTS = 16;
/** Up to {@link SHORT_URLS} URLs of up to this many bytes in total are checked at once, without waiting for a turn. */
const SHORT_BYTES = 512;
const SHORT_URLS = 8;

/** One expression of a URL whose full hash is on a list. */
export interface ConfirmedMatch extends Pick<Match, "expression" | "reading"> {
  readonly list: ServedList;
}

/** A list that a verdict would need, and the reason why the list gives no answer. */
interface MissingAnswer {
  readonly list: string;
  readonly problem: HttpProblem;
}

/** The verdict on one input: the listed expressions, or the reason why there is no verdict. */
export interface ConfirmedVerdict extends Pick<UrlVerdict, "error"> {
  readonly matches: readonly ConfirmedMatch[];
  /** How many matches are left out of `matches`. Their full hashes may not have been compared. */
  readonly more: number;
  /**
   * The list without whose answer there is no verdict, because the URL is on none of the other lists; `null` if there
   * is a verdict, or the input is not a URL.
   */
  readonly missing: MissingAnswer | null;
  /** When this verdict expires, in milliseconds since 1970; `Infinity` if only the server's own settings limit it. */
  readonly expires: number;
}

/** The lists in which URLs are looked up, and the caller. */
interface Lookup {
  readonly lists: readonly ServedList[];
  readonly answering: Searched;
  readonly caller: Caller;
  /** How many matches of each URL the caller wants; all by default. */
  readonly limits?: MatchLimits;
}

type Searched = Pick<
  Answering,
  "lists" | "keys" | "lookUps" | "checkerOf" | "findFullHashes" | "turns"
>;
type Url = string | Uint8Array;

const TOO_LONG: ConfirmedVerdict = {
  matches: [],
  more: 0,
  error: { code: "too-long", index: null },
  missing: null,
  expires: Infinity,
};

/** A URL that is not ASCII counts as if it were this many times as long, because mapping its host takes longer. */
const NOT_ASCII = 4;

/** The length of a URL in bytes. */
export function urlBytes(url: Url): number {
  return typeof url === "string" ? Buffer.byteLength(url) : url.length;
}

function isAsciiUrl(url: Url, bytes: number): boolean {
  return typeof url === "string" ? url.length === bytes : isAscii(url);
}

/** URLs that are checked together, without a pause. */
interface Chunk {
  readonly urls: Url[];
  /** The index of each URL of the chunk among all URLs. */
  readonly indices: number[];
  /** The total length of the URLs in bytes, where URLs that are not ASCII count as longer. */
  weight: number;
}

/** The URLs that are not too long, in chunks of up to `most` URLs. */
function chunksOf(urls: readonly Url[], most: number): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk | undefined;
  for (const [index, url] of urls.entries()) {
    const bytes = urlBytes(url);
    if (bytes > MAX_URL_BYTES) continue;
    const weight = isAsciiUrl(url, bytes) ? bytes : NOT_ASCII * bytes;
    if (chunk === undefined || chunk.weight + weight > CHUNK_BYTES || chunk.urls.length === most) {
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
 * caller's turn. Few lookups in chunks run at the same time, because each takes memory.
 *
 * A list gives no answer if it may not be served, or if its full hashes cannot be read. If a URL is on none of the
 * other lists, its verdict names the list without an answer in `missing`. The verdicts on other URLs do not change.
 */
export async function lookUpUrls(
  urls: readonly Url[],
  lookUp: Lookup,
): Promise<ConfirmedVerdict[]> {
  const { answering, caller } = lookUp;
  const share = Math.min(1, FEW_LISTS / answering.lists.all().length);
  const chunks = chunksOf(urls, Math.ceil(CHUNK_URLS * share));
  const [first] = chunks;
  const isShort =
    chunks.length === 1 && first!.weight <= SHORT_BYTES && first!.urls.length <= SHORT_URLS;
  if (isShort) return lookUpChunks(urls.length, chunks, false, lookUp);
  return answering.lookUps.run(caller.network(), () =>
    lookUpChunks(urls.length, chunks, true, lookUp),
  );
}

/** How many full hashes are searched for before other clients have a turn. */
const SEARCHES_AT_ONCE = 2 ** 9;

async function lookUpChunks(
  count: number,
  chunks: readonly Chunk[],
  inTurns: boolean,
  { lists, answering, caller: { key, network }, limits = ALL_MATCHES }: Lookup,
): Promise<ConfirmedVerdict[]> {
  const { checkerOf, findFullHashes, turns } = answering;
  const unloaded = lists.find(({ loaded }) => loaded === null) ?? null;
  const visible = searchableLists(answering, key);
  // If a list has changed since the caller chose the lists, the chosen version must be used.
  const checked = lists.every((list) => visible.includes(list)) ? visible : lists;
  const { checkMany } = checkerOf(checked, answering.lists.all());
  const byPrefixes = new Map<PrefixList, ServedList>();
  for (const list of lists) if (list.loaded !== null) byPrefixes.set(list.loaded.prefixes, list);
  const hasUpstreams = [...byPrefixes.values()].some(
    ({ loaded }) => loaded!.hashBlocks === undefined,
  );
  /** How many more full hashes are searched for before other clients have a turn. */
  let left = SEARCHES_AT_ONCE;

  /** Searches for the full hashes of a URL's matches, up to the limits. */
  async function confirm(verdict: UrlVerdict): Promise<ConfirmedVerdict> {
    const matches: ConfirmedMatch[] = [];
    let [more, bytes, expires] = [0, 0, Infinity];
    let missing: MissingAnswer | null = null;
    for (const match of verdict.matches) {
      const list = byPrefixes.get(match.list);
      if (list === undefined) continue;
      const { expression, reading } = match;
      const isTooLong = matches.length > 0 && bytes + expression.length > limits.bytes;
      if (isTooLong || matches.length === limits.matches) {
        more++;
        continue;
      }
      if (left-- <= 0) {
        left = SEARCHES_AT_ONCE;
        await turns(network());
      }
      const given = findOnList(list, match.hash, findFullHashes, network);
      const found = given instanceof Promise ? await given : given;
      if (found instanceof HttpProblem) {
        missing ??= { list: list.name, problem: found };
        continue;
      }
      expires = Math.min(expires, found.expires);
      if (found.hashes.length === 0) continue;
      bytes += expression.length;
      matches.push({ list, expression, reading });
    }
    return verdictOf(verdict, { matches, more, missing, expires }, unloaded);
  }

  const verdicts = new Array<ConfirmedVerdict>(count).fill(TOO_LONG);
  for (const chunk of chunks) {
    if (inTurns) await turns(network());
    // Take all verdicts at once, because the checker keeps its memory until the last one is taken.
    const found = [...checkMany(chunk.urls)];
    if (hasUpstreams) {
      const matches = found.flatMap((verdict) => verdict.matches);
      const searched = new Set(matches.flatMap(({ list }) => byPrefixes.get(list) ?? []));
      const hashes = matches.map(({ hash }) => hash);
      if (hashes.length > 1) await askAhead([...searched], hashes, network);
    }
    for (const [i, verdict] of found.entries()) {
      verdicts[chunk.indices[i]!] =
        verdict.matches.length === 0
          ? verdictOf(verdict, NOTHING_CONFIRMED, unloaded)
          : await confirm(verdict);
    }
  }
  return verdicts;
}

/** The matches of a URL whose full hashes are on the lists; `error` is not decided yet. */
type Confirmed = Omit<ConfirmedVerdict, "error">;

const NOTHING_CONFIRMED: Confirmed = { matches: [], more: 0, missing: null, expires: Infinity };

function verdictOf(
  { matches, readings, error: given }: UrlVerdict,
  confirmed: Confirmed,
  unloaded: ServedList | null,
): ConfirmedVerdict {
  const isListed = confirmed.matches.length > 0;
  const isOpen = confirmed.missing !== null || unloaded !== null;
  // An undecided host is an error after all if every match was accidental, or on a list that is not searched.
  const isRefuted = matches.length > 0 && !isListed;
  const error = isRefuted ? (readings?.problem ?? null) : given;
  let missing = isListed ? null : confirmed.missing;
  if (!isListed && error === null && unloaded !== null) {
    missing ??= { list: unloaded.name, problem: unavailable(unloaded) };
  }
  return {
    matches: confirmed.matches,
    more: confirmed.more,
    error: missing === null ? error : null,
    missing,
    expires: isOpen ? NOT_KEPT : confirmed.expires,
  };
}

/**
 * Throws if one of the URLs has no verdict because a list gives no answer. Answers that cannot report an error for a
 * single URL need this check.
 */
export function checkAnswered(verdicts: readonly Pick<ConfirmedVerdict, "missing">[]): void {
  const problem = verdicts.find(({ missing }) => missing !== null)?.missing?.problem;
  if (problem !== undefined) throw problem;
}

/** How many URLs one JSON request may have. */
export const MAX_URLS = 1000;

/** The maximum length of a URL that is looked up, in bytes. Every other request waits while one URL is checked. */
export const MAX_URL_BYTES: number = 2 ** 16;

/** The maximum number of matches that an answer names for one URL. */
const MAX_MATCHES = 32;
/** The maximum total length of the named matches' expressions, in bytes. One match is always named. */
const MAX_MATCH_BYTES = 2 ** 12;

/** The limits on the matches of one URL: their number and the total length of their expressions in bytes. */
interface MatchLimits {
  readonly matches: number;
  readonly bytes: number;
}

const ALL_MATCHES: MatchLimits = { matches: Infinity, bytes: Infinity };
/** Enough matches for people and programs that want to know why a URL is listed. */
export const SOME_MATCHES: MatchLimits = { matches: MAX_MATCHES, bytes: MAX_MATCH_BYTES };
