import { disguisesOf } from "@x/explain";
import type { InputPart } from "../output/results.ts";
import type { Evaluator } from "../pipeline/evaluator.ts";
import type { CheckedLine } from "./unwrapping.ts";

const HASH = 0x23;
const HYPHEN = 0x2d;

/**
 * Says whether a byte, or two of it in a row, is in a line. Lines are asked about in order, so that the bytes are
 * searched only once.
 */
function finderIn(bytes: Uint8Array, byte: number, isTwice: boolean) {
  let next = -1;
  const search = (from: number): number => {
    let at = bytes.indexOf(byte, from);
    while (isTwice && at >= 0 && bytes[at + 1] !== byte) at = bytes.indexOf(byte, at + 1);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  return (start: number, end: number): boolean => {
    if (next < start) next = search(start);
    return next < end;
  };
}

/** Returns the text of an input that may be disguised; `null` for an input that certainly is not. */
function textsToLookAt(part: InputPart): (verdict: CheckedLine) => string | Uint8Array | null {
  if ("place" in part) return () => part.text;
  const { bytes } = part;
  const hasFragment = finderIn(bytes, HASH, false);
  const hasPunycode = finderIn(bytes, HYPHEN, true);
  return ({ readings, start, end }) => {
    const isPlain = readings === null && !hasFragment(start, end) && !hasPunycode(start, end);
    return isPlain ? null : bytes.subarray(start, end);
  };
}

/** Whether a URL is on no list, and there is no reason to doubt that. */
export function isNotListed({ matches, safeMatches, error, mayHaveMore }: CheckedLine): boolean {
  return error === null && matches.length === 0 && safeMatches.length === 0 && !mayHaveMore;
}

/** An evaluator that also says which URLs are disguised, of those on which another one has found nothing. */
export function findingDisguises(evaluator: Evaluator<CheckedLine>): Evaluator<CheckedLine> {
  return {
    ...evaluator,
    async evaluate(part) {
      const { verdicts, count } = await evaluator.evaluate(part);
      const textToLookAt = textsToLookAt(part);
      let all: CheckedLine[] | null = null;
      for (let i = 0; i < verdicts.length; i++) {
        const verdict = verdicts[i]!;
        if (!isNotListed(verdict)) continue;
        const text = textToLookAt(verdict);
        const disguises = text === null ? [] : disguisesOf(text, verdict.readings);
        if (disguises.length === 0) continue;
        all ??= [...verdicts];
        all[i] = { ...verdict, disguises };
      }
      return { verdicts: all ?? verdicts, count };
    },
  };
}
