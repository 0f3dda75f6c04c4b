import type { CanonicalUrl } from "@x/canon";
import { type Readings, readUrl } from "@x/canon/readings";
import type { ExpressionOptions } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { isUint8Array } from "@x/sha256-prefix";
import type { HashEngine } from "@x/sha256-prefix/batch";
import { typeError } from "@x/sha256-prefix/type-error";
import { type Match, NO_MATCHES, NOT_LISTED, type UrlVerdict } from "../verdict.ts";
import { combine } from "./combine.ts";
import type { ReadingMatches } from "./find-listed.ts";
import type { SelectMaybeListed } from "./maybe-listed.ts";
import { createReadingBatch } from "./reading-batch.ts";

/** How many URLs a batch holds. */
export const MAX_URLS: number = 1 << 10;

/** What the URLs of a batch are looked up in, and how. */
export interface UrlBatchOptions {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
  /** Selects the hashes to look up in all these lists. */
  readonly select: SelectMaybeListed;
  readonly readings: Readings;
  readonly expressions: ExpressionOptions;
  readonly engine: HashEngine | "auto";
}

/** The verdict on a URL that is listed, on a safe list, or not a URL. */
export interface Finding extends UrlVerdict {
  /** The index of the URL in its batch, from 0. */
  readonly index: number;
}

const LAST_ASCII = 0x7f;
const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

/** URLs that wait for their verdicts. */
export interface UrlBatch {
  readonly engine: HashEngine;
  /** How many URLs wait. */
  count(): number;
  /** Whether it is time to finish. */
  isFull(): boolean;
  /** Puts bytes into the batch, so that the URLs in them can be added where they stand. */
  fill(bytes: Uint8Array): void;
  /** Puts text into the batch in the same way. Returns `false` when it does not fit or is not ASCII. */
  fillText(text: string): boolean;
  /** Adds the URL from index `start` to `end` of the bytes or the text that were put in. */
  addFilled(start: number, end: number): void;
  /** Adds a URL. For one that is already parsed, only the specification's reading is checked. */
  add(url: string | Uint8Array | CanonicalUrl): void;
  /** Returns the verdict on one URL. No URL may wait. */
  check(url: string | Uint8Array | CanonicalUrl): UrlVerdict;
  /** Returns the verdicts on the waiting URLs that are listed or are not URLs, in their order. */
  finish(): readonly Finding[];
  /** Forgets the waiting URLs. */
  clear(): void;
}

export function createUrlBatch(options: UrlBatchOptions): UrlBatch {
  const lists = [...options.lists, ...options.safeLists];
  const batch = createReadingBatch(lists, options.select, options.expressions, options.engine);
  const safeLists = new Set(options.safeLists);
  const onlyReading = options.readings;
  /** The index after the last reading of each URL. */
  const readingEnds = new Uint32Array(MAX_URLS);
  let problems: Finding[] = [];
  let urls = 0;

  /** Adds a URL that has to be parsed. */
  function addUnread(url: string | Uint8Array): void {
    if (typeof url !== "string" && !isUint8Array(url)) {
      throw typeError("url", "a string, a Uint8Array or a CanonicalUrl", url);
    }
    const { specification, browser, problem } = readUrl(url, onlyReading);
    if (specification !== null && specification === browser) {
      batch.addUrl(specification, "both");
    } else {
      if (specification !== null) batch.addUrl(specification, "specification");
      if (browser !== null) batch.addUrl(browser, "browser");
    }
    if (problem !== null) {
      problems.push({
        index: urls,
        matches: NO_MATCHES,
        safeMatches: NO_MATCHES,
        error: problem,
      });
    }
    close();
  }

  /** Counts a URL whose readings are all added. */
  function close(): void {
    readingEnds[urls++] = batch.count();
  }

  /** The verdicts on URLs from the matches of their readings. */
  function verdictsOf(found: readonly ReadingMatches[]): readonly Finding[] {
    if (found.length === 0) return NO_FINDINGS;
    const findings: Finding[] = [];
    for (let index = 0, i = 0; i < found.length; index++) {
      const end = readingEnds[index]!;
      if (found[i]!.index >= end) continue;
      const start = index === 0 ? 0 : readingEnds[index - 1]!;
      if (end - start === 1 && safeLists.size === 0) {
        // The shortcut for nearly all URLs: what `combine` gives for one reading without safe lists.
        const { matches } = found[i++]!;
        findings.push({ index, matches, safeMatches: NO_MATCHES, error: null });
        continue;
      }
      const ofReadings: (readonly Match[])[] = [];
      for (let reading = start; reading < end; reading++) {
        ofReadings.push(found[i]?.index === reading ? found[i++]!.matches : []);
      }
      const { matches, safeMatches } = combine(ofReadings, safeLists);
      if (matches.length + safeMatches.length === 0) continue;
      findings.push({ index, matches, safeMatches, error: null });
    }
    return findings;
  }

  function add(url: string | Uint8Array | CanonicalUrl): void {
    if (isParsed(url)) {
      batch.addPlain(url, "specification");
      close();
    } else if (batch.addIfCanonical(url, onlyReading)) {
      close();
    } else {
      addUnread(url);
    }
  }

  function finish(): readonly Finding[] {
    const listed = verdictsOf(batch.finish());
    const findings = problems.length === 0 ? listed : withProblems(problems, listed);
    clear();
    return findings;
  }

  function clear(): void {
    batch.clear();
    if (problems.length > 0) problems = [];
    urls = 0;
  }

  return {
    engine: batch.engine,
    count: () => urls,
    isFull: () => urls === MAX_URLS || batch.isFull(),
    fill: batch.fill,
    fillText: batch.fillText,

    addFilled(start, end) {
      if (batch.addFilledIfCanonical(start, end, onlyReading)) close();
      else addUnread(textIfAscii(batch.copyFilled(start, end)));
    },

    add,

    check(url) {
      if (safeLists.size > 0 || isParsed(url)) {
        add(url);
      } else {
        // The shortcut for nearly all URLs: what `add` and `finish` give for one that is canonical as it stands.
        const matches = batch.matchesIfCanonical(url, onlyReading);
        if (matches?.length === 0) return NOT_LISTED;
        if (matches !== null) return { matches, safeMatches: NO_MATCHES, error: null };
        addUnread(url);
      }
      return finish()[0] ?? NOT_LISTED;
    },

    finish,
    clear,
  };
}

const decoder = new TextDecoder();

/** Bytes as text if they are ASCII: the readings are the same, and found faster. */
function textIfAscii(bytes: Uint8Array): string | Uint8Array {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > LAST_ASCII) return bytes;
  return decoder.decode(bytes);
}

/** Whether a value can only be a `CanonicalUrl`: it is neither text nor bytes. */
function isParsed(url: string | Uint8Array | CanonicalUrl): url is CanonicalUrl {
  return typeof url === "object" && url !== null && !ArrayBuffer.isView(url);
}

/**
 * All findings in their order. A URL with a problem may have readings, too: it is listed if one of them is. That a reading is on
 * a safe list does not count, because the URL may have another reading.
 */
function withProblems(
  problems: readonly Finding[],
  listed: readonly Finding[],
): readonly Finding[] {
  if (listed.length === 0) return problems;
  const byIndex = new Map(listed.map((finding) => [finding.index, finding]));
  for (const problem of problems) {
    const found = byIndex.get(problem.index);
    const isListed = found !== undefined && found.matches.length > 0;
    byIndex.set(problem.index, isListed ? { ...found, safeMatches: NO_MATCHES } : problem);
  }
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}
