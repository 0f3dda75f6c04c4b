import { CanonError, type CanonicalUrl, parseUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import type { ExpressionOptions } from "@x/expressions";
import { MAX_EXPRESSIONS, sliceExpressions } from "@x/expressions/slices";
import type { PrefixList } from "@x/prefix-list";
import { createHashBatch, type HashEngine } from "@x/sha256-prefix/batch";
import { findListed } from "./find-listed.ts";
import { plainMatches } from "./plain-matches.ts";
import type { Match, UrlProblem, UrlVerdict } from "./verdict.ts";
import { write, writeCanonical } from "./write.ts";

/** How many bytes `fill` takes. */
export const FILL_BYTES: number = 1 << 16;
/** Room beside them, for the canonical forms of URLs that are not canonical as they stand. */
const SPILL_BYTES = 1 << 15;
/** With less room than this a batch is full. A canonical form that is longer may not fit even before. */
const LEAST_ROOM = 1 << 12;
/** Enough to keep every lane of the hash engine busy, and few enough for the processor's cache. */
const SLICES = 1 << 10;
/** How many URLs a batch holds. */
export const MAX_URLS: number = SLICES;

/** The verdict on a URL that is listed or is not a URL. */
export interface Finding extends UrlVerdict {
  /** The index of the URL in its batch, from 0. */
  readonly index: number;
}

/** URLs that wait to be hashed and looked up together. */
export interface UrlBatch {
  readonly engine: HashEngine;
  /** How many URLs wait. */
  count(): number;
  /** Whether it is time to finish. */
  isFull(): boolean;
  /** Puts bytes into the batch, so that the URLs in them can be added where they stand. */
  fill(bytes: Uint8Array): void;
  /** Adds the URL from index `start` to `end` of the bytes that `fill` put in. */
  addFilled(start: number, end: number): void;
  /** Adds a URL. */
  add(url: string | Uint8Array): void;
  /** Hashes the waiting URLs and looks them up. Returns what was found, in the order of the URLs. */
  finish(): readonly Finding[];
  /** Forgets the waiting URLs and what `fill` put in. */
  clear(): void;
}

export function createUrlBatch(
  lists: readonly PrefixList[],
  options: ExpressionOptions,
  engine: HashEngine | "auto",
): UrlBatch {
  const capacity = { bytes: FILL_BYTES + SPILL_BYTES, slices: SLICES };
  const hashing = createHashBatch({ ...capacity, engine });
  const { bytes, starts, ends } = hashing;
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  /** The index after the last slice of each URL. */
  const sliceEnds = new Uint32Array(MAX_URLS);
  /** What is known already of the waiting URLs. */
  let findings: Finding[] = [];
  let urls = 0;
  let slices = 0;
  /** The bytes up to `filled` were put in by `fill`; those up to `used` are in use. */
  let filled = 0;
  let used = 0;

  /** Adds the canonical URL at `spans`. */
  function addSlices(): void {
    slices += sliceExpressions(bytes, spans, options, starts, ends, slices);
    sliceEnds[urls++] = slices;
  }

  /** Adds a URL that has to be parsed. */
  function addParsed(url: string | Uint8Array): void {
    let parsed: CanonicalUrl;
    try {
      parsed = parseUrl(url);
    } catch (error) {
      if (!(error instanceof CanonError)) throw error;
      // The error itself would keep its input and a stack.
      addFinding([], { code: error.code, index: error.index });
      return;
    }
    if (writeCanonical(parsed, bytes, used, spans)) {
      used = spans.end;
      addSlices();
    } else {
      addFinding(plainMatches(parsed, lists, options), null);
    }
  }

  /** Adds a URL whose verdict is known. */
  function addFinding(matches: readonly Match[], error: UrlProblem | null): void {
    if (matches.length > 0 || error !== null) findings.push({ index: urls, matches, error });
    sliceEnds[urls++] = slices;
  }

  return {
    engine: hashing.engine,
    count: () => urls,
    isFull: () =>
      slices + MAX_EXPRESSIONS > SLICES || bytes.length - used < LEAST_ROOM || urls === MAX_URLS,

    fill(source) {
      bytes.set(source);
      filled = source.length;
      used = filled;
    },

    addFilled(start, end) {
      if (verifyCanonical(bytes, start, end, spans)) addSlices();
      else addParsed(bytes.slice(start, end));
    },

    add(url) {
      const end = write(url, bytes, used);
      if (end >= 0 && verifyCanonical(bytes, used, end, spans)) {
        used = end;
        addSlices();
      } else {
        addParsed(url);
      }
    },

    finish() {
      hashing.run(slices);
      const found = findings;
      const known = found.length;
      findListed(hashing, slices, sliceEnds, lists, (index, matches) => {
        found.push({ index, matches, error: null });
      });
      if (known > 0 && found.length > known) found.sort((a, b) => a.index - b.index);
      if (found.length > 0) findings = [];
      urls = 0;
      slices = 0;
      used = filled;
      return found;
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
