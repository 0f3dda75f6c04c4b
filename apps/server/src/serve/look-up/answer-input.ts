import { foreignLine, foreignText, type LineRecognition } from "@x/list-source";
import { countVerdict, type LookUpCounts } from "./look-up-counts.ts";
import type { AskedVerdict } from "./look-up-inside.ts";
import { foreignInputJson, verdictJson } from "./verdict-json.ts";

/** The answer for an input, as JSON. Counts the answer. */
export function answerInput(
  input: string | Uint8Array,
  verdict: AskedVerdict,
  counts: LookUpCounts,
): string {
  const foreign = foreignIn(input, verdict);
  if (foreign === null) {
    countVerdict(counts, verdict);
    return verdictJson(input, verdict);
  }
  counts.asked++;
  counts.refused++;
  return foreignInputJson(input, foreign);
}

/** What an input looks like instead of a URL; `null` if it may be one, or there is something else to say about it. */
function foreignIn(
  input: string | Uint8Array,
  { matches, missing, error }: AskedVerdict,
): LineRecognition | null {
  if (matches.length > 0 || missing !== null) return null;
  const isText = typeof input === "string";
  // In a line, what it looks like says more than its odd host.
  if (error !== null && (isText || error.code !== "host-invalid")) return null;
  return isText ? foreignText(input) : foreignLine(input);
}
