import type { CheckAnswer } from "@x/links/follow";
import { inParallel } from "@x/list-store/transport";
import { followInput } from "../follow/follow-input.ts";
import type { Follow } from "../follow/follower.ts";
import { inputAt } from "../input/arguments-or-lines.ts";
import type { InputPart } from "../output/results.ts";
import { type Evaluator, refusalBefore } from "../pipeline/evaluator.ts";
import type { CheckedLine, LineAnswer } from "./unwrapping.ts";

function answerOf(line: CheckedLine): CheckAnswer["verdict"] {
  if (line.matches.length > 0) return "unsafe";
  return line.error !== null || line.mayHaveMore ? "unsure" : "safe";
}

/** Extends an evaluator so that URLs on no list are followed, and the URLs that they lead to are checked, too. */
export function following(
  evaluator: Evaluator<CheckedLine>,
  follow: Follow,
): Evaluator<CheckedLine> {
  async function check(text: string): Promise<LineAnswer> {
    const { verdicts } = await evaluator.evaluate({ place: { argument: 1 }, text });
    const line = verdicts[0]!;
    return { verdict: answerOf(line), line };
  }

  async function followed(part: InputPart, verdict: CheckedLine): Promise<CheckedLine> {
    const input = inputAt(part, verdict);
    if (refusalBefore(input) !== null || answerOf(verdict) !== "safe") return verdict;
    const chain = await followInput(input.text, follow, check);
    if (chain?.verdict !== "unsafe") return { ...verdict, followed: chain };
    const { matches } = chain.hops.at(-1)!.answer!.line;
    return { ...verdict, matches, followed: chain };
  }

  return {
    ...evaluator,
    async evaluate(part) {
      const { verdicts, count } = await evaluator.evaluate(part);
      return { verdicts: await inParallel(verdicts, (each) => followed(part, each)), count };
    },
  };
}
