import { CanonError, type CanonicalUrl, parseUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import type { PrefixList } from "@x/prefix-list";
import { createHashBatch, type HashEngine } from "@x/sha256-prefix";
import { findListed } from "./find-listed.ts";
import { plainMatches } from "./plain-matches.ts";
import type { Finding, Match } from "./verdict.ts";
import { write, writeCanonical } from "./write.ts";

/** Octets that can be put into a batch at once. */
export const FILL_OCTETS: number = 1 << 16;
/** Room beside them, for canonical forms of URLs that are not canonical as they stand. */
const SPILL_OCTETS = 1 << 15;
/** A batch with less room than this is full; only a longer canonical form may find no room at all. */
const LEAST_ROOM = 1 << 12;
/** Enough to keep every lane of the hash engine busy, and little enough for the processor's cache. */
const SLICES = 1 << 10;
/** URLs that can wait. */
export const MAX_URLS: number = SLICES;

/** URLs that wait to be hashed and looked up together. */
export interface UrlBatch {
  readonly engine: HashEngine;
  /** How many URLs wait. */
  count(): number;
  /** Whether it is time to finish. */
  isFull(): boolean;
  /** Puts octets into the batch, so that the URLs in them can be added where they stand. */
  fill(octets: Uint8Array): void;
  /** Adds the URL that stands at `start` to `end` of the octets put in by `fill`. */
  addStanding(start: number, end: number): void;
  /** Adds a URL. */
  add(url: string | Uint8Array): void;
  /** Hashes and looks up what waits, tells what was found in the order of the URLs, and waits for more. */
  finish(): readonly Finding[];
  /** Forgets what waits and what was put in. */
  clear(): void;
}

export function createUrlBatch(
  lists: readonly PrefixList[],
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): UrlBatch {
  const room = { octets: FILL_OCTETS + SPILL_OCTETS, slices: SLICES };
  const hashing = createHashBatch({ ...room, engine });
  const { octets, starts, ends } = hashing;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  /** Where the slices of each URL end. */
  const sliceEnds = new Uint32Array(MAX_URLS);
  /** Of the URLs that wait, what is known already. */
  let findings: Finding[] = [];
  let urls = 0;
  let slices = 0;
  /** Where the octets end that were put in by `fill`, and where those end that are in use. */
  let filled = 0;
  let used = 0;

  /** Adds the canonical URL at `spans`. */
  function addSlices(): void {
    slices += sliceExpressions(octets, spans, options, starts, ends, slices);
    sliceEnds[urls++] = slices;
  }

  /** Adds a URL that has to be parsed. */
  function addParsed(url: string | Uint8Array): void {
    let parsed: CanonicalUrl;
    try {
      parsed = parseUrl(url);
    } catch (error) {
      if (!(error instanceof CanonError)) throw error;
      addFinding([], error);
      return;
    }
    if (writeCanonical(parsed, octets, used, spans)) {
      used = spans.end;
      addSlices();
    } else {
      addFinding(plainMatches(parsed, lists, options), null);
    }
  }

  /** Adds a URL of which all is known. */
  function addFinding(matches: readonly Match[], error: CanonError | null): void {
    if (matches.length > 0 || error !== null) findings.push({ index: urls, matches, error });
    sliceEnds[urls++] = slices;
  }

  return {
    engine: hashing.engine,
    count: () => urls,
    isFull: () =>
      slices + MAX_EXPRESSIONS > SLICES || octets.length - used < LEAST_ROOM || urls === MAX_URLS,

    fill(source) {
      octets.set(source);
      filled = source.length;
      used = filled;
    },

    addStanding(start, end) {
      if (verifyCanonical(octets, start, end, spans)) addSlices();
      else addParsed(octets.slice(start, end));
    },

    add(url) {
      const end = write(url, octets, used);
      if (end >= 0 && verifyCanonical(octets, used, end, spans)) {
        used = end;
        addSlices();
      } else {
        addParsed(url);
      }
    },

    finish() {
      hashing.run(slices);
      findListed(hashing, slices, sliceEnds, lists, findings);
      const found = findings;
      if (found.length > 0) findings = [];
      urls = 0;
      slices = 0;
      used = filled;
      return found.length > 1 ? found.sort((a, b) => a.index - b.index) : found;
    },

    clear() {
      if (findings.length > 0) findings = [];
      urls = 0;
      slices = 0;
      filled = 0;
      used = 0;
    },
  };
}
