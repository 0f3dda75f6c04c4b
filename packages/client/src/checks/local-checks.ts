import { ownOptions } from "@x/canon/own-options";
import { readingHashes } from "@x/lookup";
import { NO_ANSWERS } from "../hashes/searcher.ts";
import type { Confirm, Procedure } from "../options.ts";
import type { ClientVerdict } from "../verdict.ts";
import { candidatesOf, hashCandidates } from "./candidates.ts";
import type { CheckOptions, Evaluator } from "./checks.ts";
import { type CaseOf, checkUrlType, reasonFor } from "./evaluate-by-prefix.ts";
import { checkInsideLocally } from "./inner-urls.ts";
import type { Judge } from "./judge.ts";
import type { Snapshot } from "./snapshot.ts";

/** Checks that never ask the server. */
export interface LocalChecks {
  checkLocally(
    url: string | Uint8Array,
    options?: Pick<CheckOptions, "frame" | "unwrap">,
  ): ClientVerdict;
}

/** What the client's lists say about URLs. */
export interface LocalKnowledge extends LocalChecks, Pick<Evaluator, "settled" | "settledMany"> {
  readonly caseOf: CaseOf;
}

export interface LocalKnowledgeOptions {
  readonly snapshot: () => Snapshot;
  readonly judge: Judge;
  readonly procedure: Procedure;
  readonly confirm: Confirm;
  readonly registrableDomain: ((host: string) => string | null) | undefined;
  readonly now: () => number;
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
  const { judge, procedure, registrableDomain, now } = options;
  const isLocal = procedure === "local-list";

  const caseOf: CaseOf = (url, time, frame) => {
    checkUrlType(url);
    const snapshot = options.snapshot();
    const found = snapshot.checkAll(url);
    const problem = found.error ?? found.readings?.problem ?? null;
    const candidates = candidatesOf(found.matches, snapshot, options.confirm);
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
    const { hashes } = readingHashes(url, { registrableDomain });
    const all = hashCandidates(hashes, candidates);
    return { ...facts, candidates: all, reason: urlReason, expires: null };
  };

  /** The verdict on a URL that is on no list, as nearly all are; `null` if the URL needs the full procedure. */
  function settled(url: string | Uint8Array): ClientVerdict | null {
    if (!isLocal) return null;
    checkUrlType(url);
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

  function settledMany(urls: readonly (string | Uint8Array)[]): readonly (ClientVerdict | null)[] {
    urls.forEach(checkUrlType);
    const snapshot = options.snapshot();
    const time = now();
    if (!isLocal || snapshot.problemAt(time) !== null) return urls.map(() => null);
    const expires = snapshot.due > time ? snapshot.due : null;
    const verdicts: (ClientVerdict | null)[] = [];
    for (const { matches, error } of snapshot.checkMany(urls)) {
      const isUnlisted = matches.length === 0 && error === null;
      verdicts.push(isUnlisted ? unlisted(urls[verdicts.length]!, expires) : null);
    }
    return verdicts;
  }

  function verdictOn(url: string | Uint8Array, frame: boolean): ClientVerdict {
    const verdict = settled(url);
    if (verdict !== null) return verdict;
    const time = now();
    return judge.decide(caseOf(url, time, frame), time, NO_ANSWERS);
  }

  return {
    caseOf,
    settled,
    settledMany,
    checkLocally(url, given) {
      // A shortcut for nearly all calls.
      if (given == null) return verdictOn(url, false);
      const { frame = false, unwrap } = ownOptions(given);
      if (unwrap === undefined) return verdictOn(url, frame);
      return checkInsideLocally(url, unwrap, (each) => verdictOn(each, frame));
    },
  };
}
