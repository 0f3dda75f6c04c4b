import type { SourceSummary } from "./reader.ts";
import { shareOfLines } from "./text.ts";

/** Why no list should be made from a source. */
export interface SourceProblem {
  readonly code: "no-entries" | "too-many-refused";
  /** The reason in one sentence. */
  readonly message: string;
}

export interface SourceProblemOptions {
  /** The maximum accepted share of refused lines, 0 to 1; 0.1 by default. */
  readonly maxRefusedShare?: number | undefined;
  /** Whether to accept a source without entries. */
  readonly allowEmpty?: boolean | undefined;
}

/** The default maximum share of refused lines among those that should have become entries. */
const MAX_REFUSED_SHARE = 0.1;

/**
 * Returns why no list should be made from a source, or `null`. The reason is that it has no entries, or that too many
 * of the lines that should have become entries were refused: by default, more than a tenth. Such a source was most
 * likely read in the wrong format.
 *
 * Parts that do not stand for a URL are not counted.
 *
 * @throws RangeError when `maxRefusedShare` is not a number from 0 to 1.
 * @example
 * ```ts
 * import { listSourceReader, sourceProblem } from "@x/list-source";
 *
 * const reader = listSourceReader({ format: "hosts", onEntry: () => {} });
 * reader.push(new TextEncoder().encode("0.0.0.0 evil.example\nbad.example\n"));
 * sourceProblem(reader.end())?.code; // → "too-many-refused"
 * ```
 */
export function sourceProblem(
  summary: Pick<SourceSummary, "entries" | "refused">,
  options: SourceProblemOptions = {},
): SourceProblem | null {
  const { maxRefusedShare = MAX_REFUSED_SHARE, allowEmpty = false } = options;
  if (!(maxRefusedShare >= 0 && maxRefusedShare <= 1)) {
    throw new RangeError(`maxRefusedShare must be a number from 0 to 1, not ${maxRefusedShare}`);
  }
  const { entries, refused } = summary;
  const applicable = entries + refused;
  if (refused > maxRefusedShare * applicable) {
    return {
      code: "too-many-refused",
      message: `${shareOfLines(refused, applicable)} ${refused === 1 ? "was" : "were"} refused; at most ${+(100 * maxRefusedShare).toFixed(2)} % may be.`,
    };
  }
  if (entries > 0 || allowEmpty) return null;
  return { code: "no-entries", message: "The source has no entries." };
}
