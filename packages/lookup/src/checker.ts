import { CanonError } from "@x/canon";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import { inChunks, verdictsOf } from "./check-many.ts";
import type { LineBlock } from "./lines/line.ts";
import { type ScanOptions, type ScanResult, scanLines } from "./scan.ts";
import { typeError } from "./type-error.ts";
import { createUrlBatch, type UrlBatch } from "./url-batch.ts";
import { type Match, NOT_LISTED, type UrlVerdict } from "./verdict.ts";

/** The options of {@link checker}. */
export interface CheckerOptions extends ExpressionOptions {
  /** The hash engine. The default is the fastest that runs here; all give the same results. */
  readonly engine?: HashEngine | "auto" | undefined;
}

/** Checks URLs against lists. */
export interface Checker {
  /** The hash engine that runs. */
  readonly engine: HashEngine;
  /**
   * The expressions of a URL that are on a list, in their order. Empty when the URL is not listed.
   *
   * @throws CanonError of `@x/canon`, when `url` is not a URL with a host.
   * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
   */
  check(url: string | Uint8Array): readonly Match[];
  /**
   * One verdict for each of many URLs, in their order. An input that is not a URL has its `error` there. The
   * inputs are taken a few hundred at a time.
   *
   * @throws TypeError, when the first verdict is asked for, if `urls` is a single URL or is not iterable. If one
   * of `urls` is neither a string nor a `Uint8Array`, a TypeError comes in place of the verdicts on the inputs
   * that were taken together with it.
   */
  checkMany(urls: Iterable<string | Uint8Array>): Generator<UrlVerdict, void, undefined>;
  /**
   * Checks every line of a file, or of a block that the `lineReader` of `@x/lookup/lines` gives, and reports the
   * lines that are listed or are not URLs. A line longer than `MAX_LINE_BYTES` (2 MiB) is reported and not
   * checked. `linesIn` of `@x/lookup/lines` says what a line is.
   *
   * @throws TypeError when `lines` is neither a `Uint8Array` nor a `LineBlock`.
   */
  scan(lines: Uint8Array | LineBlock, options?: ScanOptions): ScanResult;
}

/**
 * A checker of URLs against one or more lists: canonical form, expressions, full hashes and look-up in one
 * call.
 *
 * It allocates what it needs once. A URL that is canonical already, as nearly all are, is only verified. The
 * checker keeps nothing of the URLs except in its working memory, which later calls overwrite.
 *
 * @throws TypeError when `lists` is anything else, such as the bytes of a list file that was not decoded.
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
  const all = isPrefixList(lists) ? [lists] : listsOf(lists);
  const batch = createUrlBatch(all, options, options.engine ?? "auto");

  let isBusy = false;

  /** Runs `use` on the batch, and leaves the batch empty whatever happens. */
  function withBatch<Result>(use: (batch: UrlBatch) => Result): Result {
    if (isBusy) throw new Error("A checker cannot be used by its own registrableDomain function.");
    isBusy = true;
    try {
      return use(batch);
    } finally {
      isBusy = false;
      batch.clear();
    }
  }

  return {
    engine: batch.engine,
    check(url) {
      const { matches, error } = withBatch(() => {
        batch.add(url);
        return batch.finish()[0] ?? NOT_LISTED;
      });
      if (error !== null) throw new CanonError(url, error.code, error.index);
      return matches;
    },
    *checkMany(urls) {
      for (const chunk of inChunks(urls)) yield* withBatch(() => verdictsOf(batch, chunk));
    },
    scan: (lines, { all = false } = {}) => withBatch(() => scanLines(batch, lines, all)),
  };
}

function isPrefixList(value: unknown): value is PrefixList {
  return typeof value === "object" && value !== null && "tables" in value;
}

/** Refuses anything but lists: in their place, it would make every URL pass as not listed. */
function listsOf(lists: readonly PrefixList[]): PrefixList[] {
  const all: unknown = lists;
  if (!Array.isArray(all)) throw typeError("lists", "a PrefixList or an array of them", all);
  return all.map((list, i) => {
    if (!isPrefixList(list)) throw typeError(`lists[${i}]`, "a PrefixList", list);
    return list;
  });
}
