import type { AskedVerdict } from "./look-up-inside.ts";

/** The counts of a look-up that the log and the metrics may contain. */
export interface LookUpCounts extends Record<string, unknown> {
  asked: number;
  found: number;
  /** Inputs that are not URLs or that exceed a limit. */
  refused: number;
  /** URLs without a verdict, because a list gave no answer. */
  unanswered: number;
  /** Set when a stream ended early. */
  failed?: true;
}

export const newCounts = (): LookUpCounts => ({ asked: 0, found: 0, refused: 0, unanswered: 0 });

export function countVerdict(
  counts: LookUpCounts,
  { matches, error, missing }: AskedVerdict,
): void {
  counts.asked++;
  if (matches.length > 0) counts.found++;
  if (error !== null) counts.refused++;
  if (missing !== null) counts.unanswered++;
}
