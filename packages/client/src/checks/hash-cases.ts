import { readingHashes } from "@x/lookup";
import { hashCandidates } from "./candidates.ts";
import { type CaseOf, checkUrlType, reasonFor } from "./evaluate-by-prefix.ts";

/** Collects the expressions of URLs, for a check without lists. */
export function hashCases(
  registrableDomain: ((host: string) => string | null) | undefined,
): CaseOf {
  return (url, _time, frame) => {
    checkUrlType(url);
    const { hashes, problem } = readingHashes(url, { registrableDomain });
    return {
      url,
      problem,
      local: null,
      frame,
      candidates: hashCandidates(hashes),
      reason: reasonFor(problem),
      expires: null,
    };
  };
}
