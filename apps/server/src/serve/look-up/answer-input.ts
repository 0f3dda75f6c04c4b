import { foreignLine, foreignText, type LineRecognition } from "@x/list-source";
import { countVerdict, type LookUpCounts } from "./look-up-counts.ts";
import type { AskedVerdict } from "./look-up-inside.ts";
import { foreignInputJson, verdictJson } from "./verdict-json.ts";

/** Returns the answer for an input as JSON, and counts the answer. */
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

/**
 * The format that an input seems to have instead of a URL; `null` if the input may be a URL, or its verdict says more.
 */
function foreignIn(
  input: string | Uint8Array,
  { matches, missing, error }: AskedVerdict,
): LineRecognition | null {
  if (matches.length > 0 || missing !== null) return null;
  const isText = typeof input === "string";
  // The format that the input seems to have explains more than these problems, except an invalid host of a text.
  const isExplained = error?.code === "url-unclear" || (error?.code === "host-invalid" && !isText);
  if (error !== null && !isExplained) return null;
  return isText ? foreignText(input) : foreignLine(input);
}
