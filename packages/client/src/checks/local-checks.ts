import { ownOptions } from "@x/canon/own-options";
import { NO_ANSWERS } from "../hashes/searcher.ts";
import type { CheckedOptions } from "../options.ts";
import type { ClientVerdict } from "../verdict.ts";
import type { CheckOptions, Evaluator } from "./checks.ts";
import { type CaseOf, checkUrlType } from "./evaluate-by-prefix.ts";
import { checkInsideLocally } from "./inner-urls.ts";
import type { Judge } from "./judge.ts";
import { type LocalCasesOptions, localCases } from "./local-cases.ts";

/** Checks that never ask the server. */
export interface LocalChecks {
  checkLocally(
    url: string | Uint8Array,
    options?: Pick<CheckOptions, "frame" | "unwrap">,
  ): ClientVerdict;
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

  /** The verdict on a URL that is on no list, as nearly all are; `null` if the URL needs the full procedure. */
  function settled(url: string | Uint8Array): ClientVerdict | null {
    if (!isLocal) return null;
    checkUrlType(url);
    const snapshot = current();
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
    const snapshot = current();
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
      // A fast path for calls without options.
      if (given == null) return verdictOn(url, false);
      const { frame = false, unwrap } = ownOptions(given);
      if (unwrap === undefined) return verdictOn(url, frame);
      return checkInsideLocally(url, unwrap, (each) => verdictOn(each, frame));
    },
  };
}
