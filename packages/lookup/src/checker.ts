import { CanonError, type CanonicalUrl } from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import type { ReadingChoice } from "@x/canon/readings";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import { typeError } from "@x/sha256-prefix/type-error";
import { type Batch, type BatchOptions, createBatch, selectMaybeListed } from "./batch/batch.ts";
import { checkUrls, oneByOne } from "./check-many.ts";
import { innerMatches, mayHaveMore, mustBeUrl } from "./inner-verdicts.ts";
import type { LineBlock } from "./line-reader.ts";
import { type ScanOptions, type ScanResult, scanLines } from "./scan.ts";
import { checkLists, type Match, type Unwrap, type UrlVerdict } from "./verdict.ts";

/** The options of {@link checker}. */
export interface CheckerOptions extends ExpressionOptions {
  /**
   * The readings to check. With `"both"`, the default, URLs are read both as the specification and as browsers read
   * them. `"specification"` follows only the specification, and can miss listed URLs that browsers open.
   */
  readonly readings?: ReadingChoice | undefined;
  /**
   * Lists of safe sites, such as the likely-safe lists of Safe Browsing v5. A safe list never makes a URL listed: its
   * matches are in the `safeMatches` of a verdict.
   */
  readonly safeLists?: PrefixList | readonly PrefixList[] | undefined;
  /**
   * The lists, among `lists` and `safeLists`, that have only entries for whole hosts, such as `evil.example/`. Other
   * expressions of a URL never match these lists. If all lists are among them, a check of a URL takes about half the
   * time. Set this only for lists whose publisher says so: an entry for a page on such a list is not found.
   */
  readonly onlyHosts?: PrefixList | readonly PrefixList[] | undefined;
  /**
   * Whether to make lookups faster with a Bloom filter. The filter takes about a byte for each entry of the lists, and
   * is made once it pays off. The default is `true`.
   */
  readonly bloomFilter?: boolean | undefined;
  /**
   * The engine that verifies and hashes URLs. The default is the fastest one that runs here. All engines give the same
   * results.
   */
  readonly engine?: HashEngine | "auto" | undefined;
}

/** The options of one check. */
interface CheckOptions {
  /**
   * Checks the URLs inside the URL, too, such as the URLs that email filters and redirects wrap. Pass a function
   * such as `unwrapLink`. Without `unwrap`, only the URL itself is checked.
   */
  readonly unwrap?: Unwrap | undefined;
}

/** Checks URLs against lists. */
export interface Checker {
  /** The hash engine in use. */
  readonly engine: HashEngine;
  /**
   * Returns the matches of a URL, in the same order as in a {@link UrlVerdict}, or an empty array when the URL is not
   * listed. Matches on safe lists are not included. To get them, use `checkMany`. With `unwrap`, the matches of the
   * URLs inside follow, each with the URL inside in `inner`.
   *
   * For a `CanonicalUrl` of `@x/canon`, only the specification's reading is checked: the original input, which
   * browsers may read differently, is not known.
   *
   * @throws CanonError of `@x/canon`, when `url` is not a URL with a host in any reading; and with the code
   * `host-undecided` when it is on no list, but its host cannot be decided: it has bytes that are not UTF-8, or
   * characters that Unicode does not define yet or has defined only recently; and with the code `host-invalid` when it
   * is on no list, but no site can have its host, as in `http://evil.example"`; and with the code `url-unclear` when it
   * is on no list, and is not clearly one URL, as in `_http://evil.example_`. With `unwrap`, if nothing is listed, the
   * same errors are thrown for a URL that a wrapper certainly leads to.
   *
   * @throws TypeError when `url` is not a string, a `Uint8Array` or a `CanonicalUrl`, or an option has the wrong type.
   * @throws RangeError when nothing is listed, and `unwrap` reached one of its limits.
   */
  check(url: string | Uint8Array | CanonicalUrl, options?: CheckOptions): readonly Match[];
  /**
   * Returns the matches of a host, such as a name that somebody looks up in DNS: those of `check` for the URL
   * `http://HOST/`. Only entries for whole hosts can match, so an entry for a page does not block its host. Only
   * the case of the letters and a dot at the end may differ from the canonical form; any other host is parsed like a
   * URL.
   *
   * @throws CanonError like `check`, and with the code `host-invalid` when `host` has a character that is not part of a
   * host, as in `user@evil.example` and `evil.example:80`.
   * @throws TypeError when `host` is not a string.
   */
  checkHost(host: string): readonly Match[];
  /**
   * Yields one verdict for each URL, in order. The verdict on an input that is not a URL has an `error`. Up to a few
   * hundred inputs are taken at a time. You may overwrite the bytes of an input once the next one is requested.
   *
   * @throws TypeError, when the first verdict is requested, if `urls` is a single URL or is not iterable. If an input
   * has the wrong type, a TypeError is thrown instead of the verdicts on the inputs that were taken with it.
   */
  checkMany(
    urls: Iterable<string | Uint8Array | CanonicalUrl>,
  ): Generator<UrlVerdict, void, undefined>;
  /**
   * Checks the lines of a file, or of a block from the `lineReader` of `@x/lookup/lines`, and reports those that are on
   * a list, including safe lists, or have an error. A line longer than `MAX_LINE_BYTES` (2 MiB) has an error and is not
   * looked up. The input is split into lines as by `linesIn` of `@x/lookup/lines`.
   *
   * @throws TypeError when `lines` is neither a `Uint8Array` nor a `LineBlock`.
   */
  scan(lines: Uint8Array | LineBlock, options?: ScanOptions): ScanResult;
}

/**
 * Makes a checker that looks URLs up in one or more lists. One call canonicalizes a URL, forms and hashes its
 * expressions, and looks up the hashes.
 *
 * A checker allocates most of its memory once. A URL that is already canonical, as nearly all are, is not parsed. The
 * checker keeps URLs only in its working memory, which later calls overwrite: the latest URLs, and some 4 000 short
 * expressions that are on no list, such as `example.com/`, so that they need not be hashed again.
 *
 * @throws TypeError when `lists` is neither a list nor an array of lists, but for example the bytes of a list file;
 * when an option has the wrong type; or when a list is among both `lists` and `safeLists`.
 * @example
 * ```ts
 * import { checker } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 * import { truncatedSha256Prefix } from "@x/sha256-prefix";
 *
 * const list = prefixList([truncatedSha256Prefix("evil.example/", 32)], { name: "phishing" });
 * const { check, checkMany, scan } = checker(list);
 * check("https://login.evil.example/?session=1").map((match) => match.expression); // → ["evil.example/"]
 * check("https://good.example/"); // → []
 *
 * // Browsers open evil.example; the specification's host is good.example.
 * check("http://evil.example\\@good.example/").map((match) => match.reading); // → ["browser"]
 *
 * const verdicts = [...checkMany(["evil.example", "mailto:x"])];
 * verdicts.map(({ matches, error }) => error?.code ?? matches.length); // → [1, "authority-missing"]
 *
 * const lines = new TextEncoder().encode("good.example\nevil.example/a\n");
 * scan(lines).verdicts.map(({ line }) => line); // → [1]
 * ```
 * @see Web Risk, "Hashing URLs"
 */
export function checker(
  lists: PrefixList | readonly PrefixList[],
  options: CheckerOptions = {},
): Checker {
  const batches = batchPool(checkOptions(lists, options));

  function* verdictsOn(
    urls: Iterable<string | Uint8Array | CanonicalUrl>,
  ): Generator<readonly UrlVerdict[], void, undefined> {
    const batch = batches.take();
    try {
      yield* checkUrls(batch, urls);
    } finally {
      batches.giveBack(batch);
    }
  }

  return {
    engine: batches.engine,

    check(url, options) {
      const unwrap = options === undefined ? undefined : ownOptions(options).unwrap;
      const batch = batches.take();
      try {
        const { matches, error } = batch.check(url);
        if (unwrap !== undefined) {
          const isListed = matches.length > 0;
          const checkInner = (each: string) => {
            batch.clear();
            return batch.check(each);
          };
          const inner = matchesInside(url, unwrap, checkInner, isListed);
          if (inner.length > 0) return [...matches, ...inner];
        }
        // Only text and bytes can give an error: a CanonicalUrl is not parsed.
        if (error !== null)
          throw new CanonError(url as string | Uint8Array, error.code, error.index);
        return matches;
      } finally {
        batches.giveBack(batch);
      }
    },

    checkHost(host) {
      if (typeof host !== "string") throw typeError("host", "a string", host);
      const batch = batches.take();
      try {
        const found = batch.checkHost(host);
        if (found !== null) return found;
        if (MORE_THAN_HOST.test(host)) throw new CanonError(host, "host-invalid", null);
        const { matches, error } = batch.check(`http://${host}/`);
        if (error !== null) throw new CanonError(host, error.code, null);
        return matches;
      } finally {
        batches.giveBack(batch);
      }
    },

    checkMany: (urls) => oneByOne(verdictsOn(urls)),

    scan(lines, options = {}) {
      const batch = batches.take();
      try {
        return scanLines(batch, lines, ownOptions(options).all ?? false);
      } finally {
        batches.giveBack(batch);
      }
    },
  };
}

/** Matches text that is more than a host. Only an address in brackets has colons. */
const MORE_THAN_HOST = /[/\\?#@]|^[^[]*:|\].*:/s;

function checkOptions(
  lists: PrefixList | readonly PrefixList[],
  options: CheckerOptions,
): BatchOptions {
  const own = ownOptions(options);
  const { readings = "both", bloomFilter = true, engine = "auto", registrableDomain } = own;
  const dangerous = checkLists("lists", lists);
  const safeLists = checkLists("safeLists", own.safeLists ?? []);
  if (safeLists.some((list) => dangerous.includes(list))) {
    throw new TypeError("a list cannot be in both lists and safeLists");
  }
  const onlyHosts = new Set(checkLists("onlyHosts", own.onlyHosts ?? []));
  if ([...onlyHosts].some((list) => !dangerous.includes(list) && !safeLists.includes(list))) {
    throw new TypeError("a list in onlyHosts must be in lists or safeLists, too");
  }
  if (registrableDomain !== undefined && typeof registrableDomain !== "function") {
    throw typeError("registrableDomain", "a function", registrableDomain);
  }
  if (readings !== "both" && readings !== "specification") {
    throw typeError("readings", '"both" or "specification"', readings);
  }
  if (typeof bloomFilter !== "boolean") {
    throw typeError("bloomFilter", "true or false", bloomFilter);
  }
  const select = selectMaybeListed([...dangerous, ...safeLists], bloomFilter);
  return {
    lists: dangerous,
    safeLists,
    onlyHosts,
    select,
    readings,
    expressions: { registrableDomain },
    engine,
  };
}

/**
 * Batches that are not in use. The pool has more than one batch only if calls have overlapped, as calls of `checkMany`
 * can.
 */
interface BatchPool {
  readonly engine: HashEngine;
  /** @throws Error when the `registrableDomain` function of these batches is being called. */
  take(): Batch;
  giveBack(batch: Batch): void;
}

function batchPool(options: BatchOptions): BatchPool {
  const { registrableDomain } = options.expressions;
  let isAsking = false;
  const ask = (host: string) => {
    isAsking = true;
    try {
      return registrableDomain!(host);
    } finally {
      isAsking = false;
    }
  };
  const expressions = { registrableDomain: registrableDomain && ask };
  const create = () => createBatch({ ...options, expressions });
  const first = create();
  const free = [first];
  return {
    engine: first.engine,
    take() {
      if (isAsking)
        throw new Error("A checker cannot be used by its own registrableDomain function.");
      return free.pop() ?? create();
    },
    giveBack(batch) {
      batch.clear();
      free.push(batch);
    },
  };
}

/**
 * The matches of the URLs inside a URL.
 *
 * @throws CanonError when nothing is listed, and there is no verdict on a URL that the given one certainly leads to.
 * @throws RangeError when nothing is listed, and `unwrap` reached a limit.
 */
function matchesInside(
  url: string | Uint8Array | CanonicalUrl,
  unwrap: Unwrap,
  checkUrl: (url: string) => UrlVerdict,
  isListed: boolean,
): readonly Match[] {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  const opened = unwrap("href" in Object(url) ? (url as CanonicalUrl).href : (url as string));
  const verdicts = opened.found.map((inner) => ({ inner, ...checkUrl(inner.url) }));
  const matches = verdicts.flatMap((verdict) => innerMatches(verdict.inner, verdict));
  const failed = verdicts.find(({ inner, error }) => error !== null && mustBeUrl(inner));
  if (!isListed && matches.length === 0 && failed?.error != null) {
    throw new CanonError(failed.inner.url, failed.error.code, failed.error.index);
  }
  if (mayHaveMore(opened, isListed || matches.length > 0)) {
    throw new RangeError(
      `The URL may contain more URLs, because these limits were reached: ${opened.limits.join(", ")}`,
    );
  }
  return matches;
}
