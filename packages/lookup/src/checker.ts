import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { checkLayout } from "@x/prefix-list/search";
import { type HashEngine, isOctets } from "@x/sha256-prefix";
import { type ScanResult, scanLines } from "./scan-lines.ts";
import { typeError } from "./type-error.ts";
import { createUrlBatch, type UrlBatch } from "./url-batch.ts";
import { CLEAN, type Match, type UrlVerdict } from "./verdict.ts";

/** Which expressions a checker forms, and what hashes them. */
export interface CheckerOptions extends ExpressionOptions {
  /** The hash engine; the fastest that runs here when left out. All give the same results. */
  readonly engine?: HashEngine | "auto" | undefined;
}

/** Checks URLs against lists. */
export interface Checker {
  /** The hash engine that runs. */
  readonly engine: HashEngine;
  /**
   * The expressions of a URL that are on a list, in their order; none when the URL is not listed.
   *
   * @throws CanonError of `@x/canon`, when `url` is not a URL with a host.
   * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
   */
  check(url: string | Uint8Array): readonly Match[];
  /**
   * The verdicts of many URLs, one for each, in order; what is not a URL has its `error` there. They are taken
   * from `urls` some hundreds at a time.
   *
   * @throws TypeError when the first verdict is asked for and `urls` is one URL or cannot be iterated; and in
   * place of the verdicts taken together with it, when one of `urls` is neither a string nor a `Uint8Array`.
   */
  checkMany(urls: Iterable<string | Uint8Array>): Generator<UrlVerdict, void, undefined>;
  /**
   * Checks every line of a buffer, and tells of those that are listed or not URLs. Lines end at LF or CR LF;
   * the last may have no end. Blank lines, of spaces, TABs and CRs at most, are counted, and not checked. A
   * byte order mark (EF BB BF) at the start of the buffer is passed over; the first line then starts at 3.
   *
   * @throws TypeError when `lines` is not a `Uint8Array`.
   */
  scan(lines: Uint8Array): ScanResult;
}

/** URLs that `checkMany` takes at a time. */
const MANY = 256;

/**
 * A checker of URLs against one or more lists: canonical form, expressions, full hashes and look-up in one
 * call.
 *
 * What it needs is allocated once, and a URL that is canonical already, as nearly all are, is only verified.
 * The checker stores nothing of the URLs beyond its working memory, which later calls overwrite.
 *
 * @throws TypeError when `lists` is anything else, such as the octets of a list file that were not decoded.
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
 * const verdicts = [...checkMany(["evil.example", "mailto:x"])];
 * verdicts.map(({ matches, error }) => error?.code ?? matches.length); // → [1, "authority-missing"]
 *
 * const lines = new TextEncoder().encode("good.example\nevil.example/a\n");
 * scan(lines).findings.map(({ line }) => line); // → [1]
 * ```
 * @see Web Risk, "Hashing URLs"
 */
export function checker(
  lists: PrefixList | readonly PrefixList[],
  options: CheckerOptions = {},
): Checker {
  const all = listsOf(lists);
  const batch = createUrlBatch(all, options, options.engine ?? "auto");

  let isBusy = false;

  /** Uses the batch, and leaves it empty whatever happens. */
  function withBatch<Input, Result>(
    use: (batch: UrlBatch, input: Input) => Result,
    input: Input,
  ): Result {
    if (isBusy) throw new Error("A checker cannot be used by its own registrableDomain function.");
    isBusy = true;
    try {
      return use(batch, input);
    } finally {
      isBusy = false;
      batch.clear();
    }
  }

  return {
    engine: batch.engine,
    check: (url) => withBatch(matchesOf, url),
    *checkMany(urls) {
      // A text iterates too, over characters none of which would be found.
      if (typeof urls === "string" || isOctets(urls)) {
        throw typeError("urls", "an array or another iterable of URLs", urls);
      }
      for (const some of inChunks(urls)) yield* withBatch(verdictsOf, some);
    },
    scan: (lines) => withBatch(scanLines, lines),
  };
}

/** The lists, checked: with anything else in their place, every URL would pass as not listed. */
function listsOf(lists: unknown): PrefixList[] {
  if (Array.isArray(lists)) {
    return lists.map((list: unknown, i) => {
      checkLayout(list, `lists[${i}]`);
      return list;
    });
  }
  if (!Object.hasOwn(Object(lists), "layout")) {
    throw typeError("lists", "a PrefixList or an array of them", lists);
  }
  checkLayout(lists, "lists");
  return [lists];
}

function matchesOf(batch: UrlBatch, url: string | Uint8Array): readonly Match[] {
  batch.add(url);
  const { matches, error } = batch.finish()[0] ?? CLEAN;
  if (error !== null) throw error;
  return matches;
}

/** The values of an iterable, {@link MANY} at a time. */
function* inChunks<T>(values: Iterable<T>): Generator<T[], void, undefined> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < MANY) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

function verdictsOf(batch: UrlBatch, urls: readonly (string | Uint8Array)[]): UrlVerdict[] {
  const verdicts = new Array<UrlVerdict>(urls.length).fill(CLEAN);
  let first = 0;
  const finish = () => {
    const count = batch.count();
    for (const { index, matches, error } of batch.finish()) {
      verdicts[first + index] = { matches, error };
    }
    first += count;
  };
  for (const url of urls) {
    batch.add(url);
    if (batch.isFull()) finish();
  }
  finish();
  return verdicts;
}
