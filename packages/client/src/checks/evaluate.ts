import { ownOptions } from "@x/canon/own-options";
import type { UrlProblem } from "@x/canon/readings";
import { type Match, readingHashes } from "@x/lookup";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import type { CheckedOptions } from "../options.ts";
import { type Answers, NO_ANSWERS, prefixKey, type Searcher } from "../requests/full-hashes.ts";
import type { ClientVerdict, UnsureReason } from "../verdict.ts";
import { type CheckOptions, checkInsideLocally, type Evaluator } from "./checks.ts";
import type { Candidate, Case, Judge, OpenCase } from "./judge.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Collects the facts about a URL before the server is asked.
 *
 * @throws {TypeError} when `url` is neither a string nor a `Uint8Array`.
 */
export type CaseOf = (url: string | Uint8Array, time: number, frame: boolean) => Case;

export function checkUrlType(url: unknown): void {
  if (typeof url === "string" || isUint8Array(url)) return;
  throw typeError("url", "a string or a Uint8Array", url);
}

export const reasonFor = (problem: UrlProblem | null): UnsureReason | null => {
  if (problem === null) return null;
  return problem.code === "host-undecided" ? "url-undecided" : "url-invalid";
};

/** Asks the server about hash prefixes whose answers are not known yet. */
export function evaluateByPrefix(
  caseOf: CaseOf,
  judge: Judge,
  searcher: Searcher,
  now: () => number,
): Evaluator["evaluate"] {
  /** The known and the new answers. New answers replace known ones. */
  async function answersTo(
    open: readonly OpenCase[],
    signal: AbortSignal | undefined,
  ): Promise<Answers> {
    const known = open.flatMap((each) => [...each.known]);
    const keys = new Set(open.flatMap((each) => each.keys));
    const found = keys.size === 0 ? NO_ANSWERS : await searcher.find(keys, signal);
    return known.length === 0 ? found : new Map([...known, ...found]);
  }

  return async (urls, { signal, frame = false }) => {
    const time = now();
    const cases = urls.map((url) => caseOf(url, time, frame));
    const open = cases.map((of) => judge.open(of, time));
    const answers = await answersTo(open, signal);
    const asked = now();
    return cases.map((of) => judge.decide(of, asked, answers));
  };
}

/** Checks that never ask the server. */
export interface LocalChecks {
  checkLocally(
    url: string | Uint8Array,
    options?: Pick<CheckOptions, "frame" | "unwrap">,
  ): ClientVerdict;
  /** The verdict of `checkLocally` on the URL `http://HOST/`, which is found faster for hosts on no list. */
  checkHostLocally(host: string): ClientVerdict;
}

export interface LocalKnowledge extends LocalChecks, Pick<Evaluator, "settled" | "settledMany"> {
  readonly caseOf: CaseOf;
}

export interface LocalKnowledgeOptions extends LocalCasesOptions, Pick<CheckedOptions, "now"> {
  readonly judge: Judge;
}

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

export function createLocalKnowledge(options: LocalKnowledgeOptions): LocalKnowledge {
  const { judge, now, snapshot: current } = options;
  const isLocal = options.procedure === "local-list";
  const caseOf = localCases(options);

  /**
   * The verdict on a URL that is on no list, as nearly all are; `null` if the URL needs the full procedure.
   *
   * @param matchesIn looks the URL up.
   */
  function settledBy(
    url: string | Uint8Array,
    matchesIn: (snapshot: Snapshot) => readonly Match[],
  ): ClientVerdict | null {
    if (!isLocal) return null;
    const snapshot = current();
    const time = now();
    try {
      if (matchesIn(snapshot).length > 0 || snapshot.problemAt(time) !== null) return null;
    } catch {
      // The full procedure finds the same problem with the URL, and reports it.
      return null;
    }
    return unlisted(url, snapshot.freshUntil > time ? snapshot.freshUntil : null);
  }

  function settled(url: string | Uint8Array): ClientVerdict | null {
    checkUrlType(url);
    return settledBy(url, (snapshot) => snapshot.check(url));
  }

  function settledMany(urls: readonly (string | Uint8Array)[]): readonly (ClientVerdict | null)[] {
    urls.forEach(checkUrlType);
    const snapshot = current();
    const time = now();
    if (!isLocal || snapshot.problemAt(time) !== null) return urls.map(() => null);
    const expires = snapshot.freshUntil > time ? snapshot.freshUntil : null;
    const verdicts: (ClientVerdict | null)[] = [];
    for (const { matches, error } of snapshot.checkMany(urls)) {
      const isUnlisted = matches.length === 0 && error === null;
      verdicts.push(isUnlisted ? unlisted(urls[verdicts.length]!, expires) : null);
    }
    return verdicts;
  }

  function verdictOn(url: string | Uint8Array, frame: boolean): ClientVerdict {
    return settled(url) ?? decidedNow(url, frame);
  }

  function decidedNow(url: string | Uint8Array, frame: boolean): ClientVerdict {
    const time = now();
    return judge.decide(caseOf(url, time, frame), time, NO_ANSWERS);
  }

  return {
    caseOf,
    settled,
    settledMany,
    checkLocally(url, given) {
      // A fast path for calls without options.
      if (given == null) return verdictOn(url, false);
      const { frame = false, unwrap } = ownOptions(given);
      if (unwrap === undefined) return verdictOn(url, frame);
      return checkInsideLocally(url, unwrap, (each) => verdictOn(each, frame));
    },

    checkHostLocally(host) {
      if (typeof host !== "string") throw typeError("host", "a string", host);
      const url = `http://${host}/`;
      return settledBy(url, (snapshot) => snapshot.checkHost(host)) ?? decidedNow(url, false);
    },
  };
}

interface LocalCasesOptions extends Pick<CheckedOptions, "procedure" | "registrableDomain"> {
  readonly snapshot: () => Snapshot;
}

/** Collects the matches of URLs with the lists, and all expressions of URLs that the lists do not settle. */
function localCases(options: LocalCasesOptions): CaseOf {
  const { procedure, registrableDomain, snapshot: current } = options;

  return (url, time, frame) => {
    checkUrlType(url);
    const snapshot = current();
    const found = snapshot.checkAll(url);
    const problem = found.error ?? found.readings?.problem ?? null;
    const candidates = candidatesOf(found.matches, snapshot);
    const outOfDate = snapshot.problemAt(time);
    const urlReason = reasonFor(problem);
    let local: ClientVerdict["local"] =
      outOfDate === null && urlReason === null ? "unlisted" : null;
    if (candidates.some(({ lists }) => lists.length > 0)) local = "listed";
    const byLists =
      procedure === "local-list" || (outOfDate === null && found.safeMatches.length > 0);
    if (!byLists) return { ...hashCase(url, frame, registrableDomain, candidates), local };
    const reason = urlReason ?? outOfDate;
    return { url, problem, local, frame, candidates, reason, expires: snapshot.freshUntil };
  };
}

/** The distinct expressions that have matches. */
function candidatesOf(matches: readonly Match[], snapshot: Snapshot): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const match of matches) {
    const { expression, hash, reading, by } = match;
    const before = found.get(expression);
    const name = snapshot.nameOf(match);
    const names = name === null ? [] : [name];
    const lists = [...(before?.lists ?? []), ...names];
    found.set(expression, {
      expression,
      hash,
      reading,
      key: prefixKey(hash),
      lists,
      isRemembered: lists.length === 0,
      confirmedBy: [
        ...(before?.confirmedBy ?? []),
        ...(match.confirmed ? names : []).map((list) => ({ list, ...(by && { by }) })),
      ],
    });
  }
  return [...found.values()];
}

/**
 * The facts about a URL that no list settles: all its expressions, with the local lists of those that have matches.
 *
 * @throws {TypeError} when `url` is neither a string nor a `Uint8Array`.
 */
export function hashCase(
  url: string | Uint8Array,
  frame: boolean,
  registrableDomain: CheckedOptions["registrableDomain"],
  local: readonly Candidate[] = [],
): Case {
  checkUrlType(url);
  const { hashes, problem } = readingHashes(url, { registrableDomain });
  const known = new Map<string, Candidate>(local.map((each) => [each.expression, each]));
  const candidates = hashes.map(({ expression, hash, reading }): Candidate => {
    const { lists = [], confirmedBy = [] } = known.get(expression) ?? {};
    const key = prefixKey(hash);
    return { expression, hash, reading, key, lists, isRemembered: false, confirmedBy };
  });
  const reason = reasonFor(problem);
  return { url, problem, local: null, frame, candidates, reason, expires: null };
}
