import { readingHashes } from "@x/lookup";
import type { CheckedOptions } from "../options.ts";
import type { ClientVerdict } from "../verdict.ts";
import { candidatesOf, hashCandidates } from "./candidates.ts";
import { type CaseOf, checkUrlType, reasonFor } from "./evaluate-by-prefix.ts";
import type { Snapshot } from "./snapshot.ts";

export interface LocalCasesOptions
  extends Pick<CheckedOptions, "procedure" | "confirm" | "registrableDomain"> {
  readonly snapshot: () => Snapshot;
}

/** Collects the matches of URLs with the lists, and all expressions of URLs that the lists do not settle. */
export function localCases(options: LocalCasesOptions): CaseOf {
  const { procedure, confirm, registrableDomain, snapshot: current } = options;

  return (url, time, frame) => {
    checkUrlType(url);
    const snapshot = current();
    const found = snapshot.checkAll(url);
    const problem = found.error ?? found.readings?.problem ?? null;
    const candidates = candidatesOf(found.matches, snapshot, confirm);
    const outOfDate = snapshot.problemAt(time);
    const urlReason = reasonFor(problem);
    let local: ClientVerdict["local"] =
      outOfDate === null && urlReason === null ? "unlisted" : null;
    if (candidates.some(({ lists }) => lists.length > 0)) local = "listed";
    const facts = { url, problem, local, frame };
    const byLists =
      procedure === "local-list" || (outOfDate === null && found.safeMatches.length > 0);
    if (byLists) {
      const reason = urlReason ?? outOfDate;
      return { ...facts, candidates, reason, expires: snapshot.due };
    }
    const { hashes } = readingHashes(url, { registrableDomain });
    const all = hashCandidates(hashes, candidates);
    return { ...facts, candidates: all, reason: urlReason, expires: null };
  };
}
