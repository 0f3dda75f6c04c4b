import type { CanonicalUrl } from "@x/canon";
import { type ReadingChoice, readUrl } from "@x/canon/readings";
import type { CanonicalSpans } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import {
  maybeListed,
  mayMatch,
  type PrefixBloomFilter,
  prefixBloomFilterInSteps,
} from "@x/prefix-list/search";
import { isUint8Array } from "@x/sha256-prefix";
import type { HashEngine } from "@x/sha256-prefix/batch";
import { typeError } from "@x/sha256-prefix/type-error";
import {
  addMatches,
  certainLength,
  type Match,
  NO_MATCHES,
  NOT_LISTED,
  plainMatches,
  type Reading,
  settle,
  type UrlVerdict,
} from "../verdict.ts";
import {
  createWorkspace,
  ENOUGH_EXPRESSIONS,
  textIfAscii,
  write,
  writeCanonical,
  writeHostUrl,
  writeText,
} from "./workspace.ts";

/** The maximum number of URLs in a batch. */
export const MAX_URLS: number = 1 << 10;
/**
 * A batch holds at most two readings of each URL: that of the specification and that of browsers. A third reading, that
 * of Firefox, is looked up immediately.
 */
const MAX_READINGS = 2 * MAX_URLS;
/** The maximum number of bytes that `fill` accepts. */
export const FILL_BYTES: number = 1 << 16;
/** Additional room for the canonical forms of URLs that are not already canonical. */
const SPILL_BYTES = 1 << 15;
/**
 * A batch with less room than this counts as full. A canonical form longer than this may not fit even into a batch that
 * is not full.
 */
const LEAST_ROOM = 1 << 12;

/** The lists in which the URLs of a batch are looked up, and the options for the lookup. */
export interface BatchOptions {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
  /** The lists, among these, that have only entries for whole hosts. */
  readonly onlyHosts: ReadonlySet<PrefixList>;
  /** Selects the hashes that may be on one of these lists. */
  readonly select: SelectMaybeListed;
  readonly readings: ReadingChoice;
  readonly expressions: ExpressionOptions;
  readonly engine: HashEngine | "auto";
}

/**
 * URLs that are waiting for their verdicts. Their expressions are hashed and looked up many at a time.
 *
 * A URL that is already canonical is copied into the batch and not parsed. Any other URL is parsed when it is added.
 */
export interface Batch {
  readonly engine: HashEngine;
  /** The number of waiting URLs. */
  count(): number;
  /** Whether the batch counts as full, so that `finish` should be called. */
  isFull(): boolean;
  /**
   * Puts bytes or text into the batch, so that `addFilled` can add the URLs in them. Call it only when no URLs are
   * waiting. Returns `false` when text does not fit or is not ASCII.
   */
  fill(source: Uint8Array | string): boolean;
  /** Adds the URL from index `start` to `end` of the filled bytes. */
  addFilled(start: number, end: number): void;
  /** Adds a URL. If it is a `CanonicalUrl`, only the specification's reading is checked. */
  add(url: string | Uint8Array | CanonicalUrl): void;
  /** Returns one verdict for each waiting URL, in order. The bytes from `fill` stay in the batch. */
  finish(): readonly UrlVerdict[];
  /** Returns the verdict on one URL. The batch must be empty before the call. Clear it afterwards. */
  check(url: string | Uint8Array | CanonicalUrl): UrlVerdict;
  /**
   * Returns the matches of the URL `http://HOST/` in the lists that are not safe lists, or `null` if that URL has to be
   * parsed. The batch must be empty, and stays so.
   */
  checkHost(host: string): readonly Match[] | null;
  /** Empties the batch. */
  clear(): void;
}

export function createBatch(options: BatchOptions): Batch {
  const { select, readings: onlyReading, expressions } = options;
  const { lists: threats } = options;
  const lists = [...threats, ...options.safeLists];
  const safeLists = new Set(options.safeLists);
  const certainBytes = certainLength(lists);
  const { onlyHosts } = options;
  const workspace = createWorkspace(
    FILL_BYTES + SPILL_BYTES,
    { ...expressions, onlyHosts: lists.every((list) => onlyHosts.has(list)) },
    options.engine,
  );
  const { bytes, starts, prefixes } = workspace;
  const fillBytes = bytes.subarray(0, FILL_BYTES);
  /** The bytes up to `filled` come from `fill`, and the bytes up to `used` are in use. */
  let filled = 0;
  let used = 0;
  /** The number of expressions that wait for their lookup, and the indices of those that may be listed. */
  let waiting = 0;
  const selected = new Uint32Array(starts.length);
  /** For each reading, the index after its last expression, the index of its URL, and the kind of reading. */
  const expressionEnds = new Uint32Array(MAX_READINGS);
  const urlOf = new Uint32Array(MAX_READINGS);
  const readers: Reading[] = [];
  let readings = 0;
  /** The index of the first reading that has not been looked up. */
  let lookedUp = 0;
  /** For each URL, the verdict from the readings that have been looked up. */
  const verdicts = new Array<UrlVerdict>(MAX_URLS).fill(NOT_LISTED);
  let urls = 0;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };

  /**
   * Registers a reading of the latest URL. The caller has written its expressions, and `count` is the number of all
   * waiting expressions.
   */
  function addReading(reading: Reading, count: number): void {
    waiting = count;
    expressionEnds[readings] = count;
    urlOf[readings] = urls - 1;
    readers[readings++] = reading;
    if (count >= ENOUGH_EXPRESSIONS) lookUp();
  }

  /** Writes a reading of the latest URL into the batch and adds it. */
  function addParsed(url: CanonicalUrl, reading: Reading): void {
    if (writeCanonical(url, bytes, used, spans)) {
      used = spans.end;
      addReading(reading, workspace.addSpans(spans, waiting));
    } else {
      addPlain(url, reading);
    }
  }

  /** Looks up a reading of the latest URL immediately, without writing it into the batch. */
  function addPlain(url: CanonicalUrl, reading: Reading): void {
    lookUp();
    const matches = plainMatches(url, reading, lists, onlyHosts, expressions, certainBytes);
    for (const match of matches) addMatch(urls - 1, match);
  }

  /** Adds a URL that is not already canonical. */
  function addUnread(url: string | Uint8Array): void {
    if (typeof url !== "string" && !isUint8Array(url)) {
      throw typeError("url", "a string, a Uint8Array or a CanonicalUrl", url);
    }
    const read = readUrl(url, onlyReading);
    const { specification, browser, firefox, problem: error } = read;
    verdicts[urls++] = { matches: NO_MATCHES, safeMatches: NO_MATCHES, error, readings: read };
    if (specification !== null && specification === browser) {
      addParsed(specification, "both");
    } else {
      if (specification !== null) addParsed(specification, "specification");
      if (browser !== null) addParsed(browser, "browser");
    }
    if (firefox !== null) addPlain(firefox, "browser");
  }

  function add(url: string | Uint8Array | CanonicalUrl): void {
    if (isParsed(url)) {
      urls++;
      addPlain(url, "specification");
      return;
    }
    const end = write(url, bytes, used);
    const count = end < 0 ? -1 : workspace.addIfCanonical(used, end, waiting);
    if (count < 0) {
      addUnread(url);
    } else {
      used = end;
      urls++;
      addReading(onlyReading, count);
    }
  }

  /** Hashes the waiting expressions and looks them up. */
  function lookUp(): void {
    workspace.run(waiting);
    const count = select(prefixes, waiting, selected);
    for (let i = 0, reading = lookedUp; i < count; i++) {
      const slice = selected[i]!;
      while (expressionEnds[reading]! <= slice) reading++;
      const url = urlOf[reading]!;
      addMatches(workspace, slice, lists, onlyHosts, readers[reading]!, certainBytes, (match) =>
        addMatch(url, match),
      );
    }
    workspace.rememberExcept(selected, count, waiting);
    waiting = 0;
    lookedUp = readings;
  }

  function addMatch(url: number, match: Match): void {
    const { matches, error, readings } = verdicts[url]!;
    if (matches.length > 0) (matches as Match[]).push(match);
    else verdicts[url] = { matches: [match], safeMatches: NO_MATCHES, error, readings };
  }

  function forget(): void {
    for (let i = 0; i < urls; i++) verdicts[i] = NOT_LISTED;
    urls = 0;
    readings = 0;
    lookedUp = 0;
    waiting = 0;
  }

  return {
    engine: workspace.engine,
    count: () => urls,
    isFull: () => urls === MAX_URLS || bytes.length - used < LEAST_ROOM,

    fill(source) {
      if (typeof source === "string") {
        filled = Math.max(0, writeText(source, fillBytes, 0));
      } else {
        bytes.set(source);
        filled = source.length;
      }
      used = filled;
      return filled === source.length;
    },

    addFilled(start, end) {
      const count = workspace.addIfCanonical(start, end, waiting);
      if (count < 0) {
        addUnread(textIfAscii(bytes.slice(start, end)));
      } else {
        urls++;
        addReading(onlyReading, count);
      }
    },

    add,

    finish() {
      lookUp();
      const finished = verdicts.slice(0, urls);
      for (let i = 0; i < urls; i++) {
        if (finished[i] !== NOT_LISTED) finished[i] = settle(finished[i]!, safeLists);
      }
      forget();
      used = filled;
      return finished;
    },

    check(url) {
      add(url);
      lookUp();
      return settle(verdicts[0]!, safeLists);
    },

    checkHost(host) {
      const end = writeHostUrl(host, bytes);
      const count = end < 0 ? -1 : workspace.addIfCanonical(0, end, 0);
      if (count <= 0) return count < 0 ? null : NO_MATCHES;
      workspace.run(count);
      const found = select(prefixes, count, selected);
      let matches: Match[] | null = null;
      for (let i = 0; i < found; i++) {
        addMatches(
          workspace,
          selected[i]!,
          threats,
          onlyHosts,
          onlyReading,
          certainBytes,
          (match) => {
            matches ??= [];
            matches.push(match);
          },
        );
      }
      workspace.rememberExcept(selected, found, count);
      return matches ?? NO_MATCHES;
    },

    clear() {
      forget();
      filled = 0;
      used = 0;
    },
  };
}

/** Whether a value counts as a `CanonicalUrl`. Any object does, except a view of bytes. */
function isParsed(url: string | Uint8Array | CanonicalUrl): url is CanonicalUrl {
  return typeof url === "object" && url !== null && !ArrayBuffer.isView(url);
}

/**
 * Finds the indices `i` below `count` for which `words[i]` may begin a listed hash, writes them into `found`, and
 * returns the number of these indices.
 */
type SelectMaybeListed = (words: Uint32Array, count: number, found: Uint32Array) => number;

/**
 * The number of lookups per prefix after which a Bloom filter is made. By then, the filter would have saved more time
 * than it takes to make.
 */
const WORTHWHILE_LOOKUPS = 1 / 16;

/**
 * The number of prefixes that each call adds to the Bloom filter. The number is so small that a call takes at most a
 * millisecond or two longer.
 */
const PREFIXES_PER_STEP = 2 ** 16;

/** Selects the hashes to look up in some lists, with a Bloom filter once it pays off. */
export function selectMaybeListed(
  lists: readonly PrefixList[],
  withBloomFilter: boolean,
): SelectMaybeListed {
  const size = lists.reduce((sum, list) => sum + list.size, 0);
  let left = withBloomFilter ? size * WORTHWHILE_LOOKUPS : Number.POSITIVE_INFINITY;
  const making = prefixBloomFilterInSteps(lists, PREFIXES_PER_STEP);
  let filter: PrefixBloomFilter | null = null;

  return (words, count, found) => {
    if (filter !== null) return maybeListed(filter, words, count, found);
    left -= count;
    if (left < 0) filter = making.next().value ?? null;
    let next = 0;
    for (let i = 0; i < count; i++) if (mayMatchAny(lists, words[i]!)) found[next++] = i;
    return next;
  };
}

/** Whether any list may hold a prefix of a hash that begins with `word`. */
function mayMatchAny(lists: readonly PrefixList[], word: number): boolean {
  for (let i = 0; i < lists.length; i++) if (mayMatch(lists[i]!, word)) return true;
  return false;
}
