import type { UrlProblem } from "@x/canon/readings";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { type Answers, NO_ANSWERS, type Searcher } from "../hashes/searcher.ts";
import type { UnsureReason } from "../verdict.ts";
import type { Evaluator } from "./checks.ts";
import type { Case, Judge, OpenCase } from "./judge.ts";

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
