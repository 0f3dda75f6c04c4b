import { ownOptions } from "@x/canon/own-options";
import type { UrlProblem } from "@x/canon/readings";
import { readingHashes } from "@x/lookup";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { unlessAborted } from "../abort.ts";
import type { Answers, Searcher } from "../hashes/searcher.ts";
import type { Procedure } from "../options.ts";
import type { ClientVerdict, UnsureReason } from "../verdict.ts";
import { allCandidates, candidatesOf } from "./candidates.ts";
import type { Case, Judge, OpenCase } from "./judge.ts";
import type { Snapshot } from "./snapshot.ts";

/** The options of one check. */
export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the URL is opened in a frame: some threats only count there. The default is `false`. */
  readonly frame?: boolean | undefined;
}

/** URLs to check. */
export type Urls = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface Checks {
  checkLocally(url: string | Uint8Array, options?: Omit<CheckOptions, "signal">): ClientVerdict;
  check(url: string | Uint8Array, options?: CheckOptions): Promise<ClientVerdict>;
  checkMany(urls: Urls, options?: CheckOptions): AsyncGenerator<ClientVerdict, void, undefined>;
}

export interface ChecksOptions {
  readonly snapshot: () => Snapshot;
  readonly judge: Judge;
  readonly searcher: Searcher;
  readonly procedure: Procedure;
  readonly registrableDomain: ((host: string) => string | null) | undefined;
  readonly now: () => number;
}

/** How many URLs `checkMany` takes at a time. */
const WINDOW_URLS = 256;

const NO_OPTIONS: CheckOptions = Object.freeze(Object.create(null));
const NO_ANSWERS: Answers = new Map();
const NO_MATCHES: readonly never[] = Object.freeze([]);

/** The verdict on a URL that is on no list. */
function unlisted(url: string | Uint8Array, expires: number | null): ClientVerdict {
  return {
    url,
    verdict: "safe",
    confirmed: true,
    reason: null,
    local: "unlisted",
    matches: NO_MATCHES,
    expires,
    error: null,
  };
}

const reasonFor = (problem: UrlProblem | null): UnsureReason | null => {
  if (problem === null) return null;
  return problem.code === "host-undecided" ? "url-undecided" : "url-invalid";
};

/** Yields arrays of up to 256 items. Items of a slow stream do not wait until an array is full. */
async function* windowsOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Item[], void, undefined> {
  if (Symbol.iterator in items) {
    let window: Item[] = [];
    for (const item of items) {
      window.push(item);
      if (window.length < WINDOW_URLS) continue;
      yield window;
      window = [];
    }
    if (window.length > 0) yield window;
    return;
  }
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  try {
    let next = iterator.next();
    while (!isDone) {
      const window: Item[] = [];
      const soon = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
      let result: IteratorResult<Item> | null = await unlessAborted(next, signal);
      while (result !== null && !result.done) {
        window.push(result.value);
        next = iterator.next();
        // The promise is awaited later, and may reject before that.
        next.catch(() => {});
        result =
          window.length < WINDOW_URLS
            ? await unlessAborted(Promise.race([next, soon]), signal)
            : null;
      }
      isDone = result?.done === true;
      if (window.length > 0) yield window;
    }
  } finally {
    // A stream that is waiting for its next item would only end after that item, so an aborted check does not wait for
    // the end.
    const ending = isDone ? undefined : iterator.return?.();
    if (signal?.aborted) ending?.catch(() => {});
    else await ending;
  }
}

/** Checks URLs by one of the procedures. */
export function createChecks(options: ChecksOptions): Checks {
  const { judge, searcher, procedure, registrableDomain, now } = options;
  const isLocal = procedure === "local-list";

  /** Collects what is known about a URL before the server is asked. */
  function caseOf(url: string | Uint8Array, time: number, frame: boolean): Case {
    if (typeof url !== "string" && !isUint8Array(url)) {
      throw typeError("url", "a string or a Uint8Array", url);
    }
    const snapshot = options.snapshot();
    const found = snapshot.checkAll(url);
    const problem = found.error ?? found.readings?.problem ?? null;
    const candidates = candidatesOf(found.matches, snapshot);
    const outOfDate = snapshot.problemAt(time);
    const urlReason = reasonFor(problem);
    let local: ClientVerdict["local"] =
      outOfDate === null && urlReason === null ? "unlisted" : null;
    if (candidates.some(({ lists }) => lists.length > 0)) local = "listed";
    const facts = { url, problem, local, frame };
    const byLists = isLocal || (outOfDate === null && found.safeMatches.length > 0);
    if (byLists) {
      const reason = urlReason ?? outOfDate;
      return { ...facts, candidates, reason, expires: snapshot.due };
    }
    const { hashes } =
      urlReason === "url-invalid" ? { hashes: [] } : readingHashes(url, { registrableDomain });
    const all = allCandidates(hashes, candidates);
    return { ...facts, candidates: all, reason: urlReason, expires: null };
  }

  /** The verdict on a URL that is on no list, as nearly all are; `null` if the URL needs the full procedure. */
  function unlistedNow(url: string | Uint8Array): ClientVerdict | null {
    const snapshot = options.snapshot();
    const time = now();
    try {
      if (snapshot.check(url).length > 0 || snapshot.problemAt(time) !== null) return null;
    } catch {
      // The full procedure finds the same problem with the URL, and reports it.
      return null;
    }
    return unlisted(url, snapshot.due > time ? snapshot.due : null);
  }

  /** Asks the server what is not known yet. New answers replace older ones. */
  async function answersTo(
    open: readonly OpenCase[],
    signal: AbortSignal | undefined,
  ): Promise<Answers> {
    const known = open.flatMap((each) => [...each.known]);
    const keys = new Set(open.flatMap((each) => each.keys));
    const found = keys.size === 0 ? NO_ANSWERS : await searcher.find(keys, signal);
    return known.length === 0 ? found : new Map([...known, ...found]);
  }

  async function ask(of: Case, signal: AbortSignal | undefined): Promise<ClientVerdict> {
    const answers = await answersTo([judge.open(of, now())], signal);
    return judge.decide(of, now(), answers);
  }

  return {
    checkLocally(url, given) {
      if (isLocal) {
        const verdict = unlistedNow(url);
        if (verdict !== null) return verdict;
      }
      const { frame = false } = ownOptions(given ?? {});
      const time = now();
      return judge.decide(caseOf(url, time, frame), time, NO_ANSWERS);
    },

    check(url, given) {
      try {
        const { signal, frame = false } = given === undefined ? NO_OPTIONS : ownOptions(given);
        signal?.throwIfAborted();
        if (isLocal) {
          const verdict = unlistedNow(url);
          if (verdict !== null) return Promise.resolve(verdict);
        }
        return ask(caseOf(url, now(), frame), signal);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    async *checkMany(urls, given) {
      const { signal, frame = false } = ownOptions(given ?? {});
      if (typeof urls === "string" || isUint8Array(urls)) {
        throw typeError("urls", "an array or another iterable of URLs", urls);
      }
      for await (const window of windowsOf(urls, signal)) {
        signal?.throwIfAborted();
        const time = now();
        const entries = window.map((url) => {
          const verdict = isLocal ? unlistedNow(url) : null;
          return verdict ?? caseOf(url, time, frame);
        });
        const cases = entries.filter((entry): entry is Case => !("verdict" in entry));
        const open = cases.map((of) => judge.open(of, time));
        const answers = await answersTo(open, signal);
        const asked = now();
        for (const entry of entries) {
          yield "verdict" in entry ? entry : judge.decide(entry, asked, answers);
        }
      }
    },
  };
}
