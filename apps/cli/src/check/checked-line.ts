import type { UrlProblem } from "@x/canon/readings";
import type { CheckAnswer, FollowedLink } from "@x/links/follow";
import { lookAtUrl, type UnwrappedLink, type UrlLook, unwrapLink } from "@x/links/unwrap";
import { inParallel } from "@x/list-store/transport";
import type { Checker, LineVerdict, Match, UrlVerdict } from "@x/lookup";
import { innerMatches, mayHaveMore, mustBeUrl } from "@x/lookup/inside";
import { type Evaluator, refusalBefore } from "../evaluate.ts";
import { inputAt } from "../input/arguments-or-lines.ts";
import type { InputPart } from "../output/results.ts";
import { followInput, isUnfinished } from "./chain.ts";
import { disguisesAlong, disguisesIn, type FoundDisguise } from "./disguises.ts";
import type { Follow } from "./follower.ts";

/** The verdict on an input and on the URLs inside it. The matches of the input come first. */
export interface CheckedLine extends LineVerdict {
  /** Whether nothing is listed, but the URL may contain more URLs, because a limit was reached. */
  readonly mayHaveMore?: boolean | undefined;
  /** The disguises of the URL and of the URLs that it leads to, if nothing is listed. */
  readonly disguises?: readonly FoundDisguise[] | undefined;
  /**
   * The redirects of the URL, if it was followed. If a URL of the chain is listed, `matches` has the matches of that
   * URL.
   */
  readonly followed?: FollowedLink<LineAnswer> | undefined;
}

/** The verdict on one URL in a chain of redirects. */
interface LineAnswer extends CheckAnswer {
  readonly line: CheckedLine;
}

const NOTHING: UnwrappedLink = Object.freeze({ found: [], closed: [], limits: [] });

/** Finds the URLs inside an input. For nearly all lines, a quick test of the bytes is enough. */
export function unwrapInput(input: string | Uint8Array): UnwrappedLink {
  return typeof input === "string" || lookAtUrl(input) === "maybe-inside"
    ? unwrapLink(input)
    : NOTHING;
}

/** The reason why one of the URLs that a URL certainly leads to has no verdict; `null` if all of them have one. */
function problemInside(
  found: UnwrappedLink["found"],
  verdicts: readonly UrlVerdict[],
): UrlProblem | null {
  const error = verdicts.find(({ error }, i) => error !== null && mustBeUrl(found[i]!))?.error;
  // The index refers to the inner URL, so it is dropped.
  return error == null ? null : { code: error.code, index: null };
}

/** Extends an evaluator. `change` returns the verdict to use instead, or `null` to keep it. Most verdicts are kept. */
function changing(
  evaluator: Evaluator<CheckedLine>,
  change: (part: InputPart, verdict: CheckedLine, look: UrlLook | undefined) => CheckedLine | null,
): Evaluator<CheckedLine> {
  return {
    ...evaluator,
    async evaluate(part) {
      const evaluated = await evaluator.evaluate(part);
      const { verdicts, looks } = evaluated;
      let all: CheckedLine[] | null = null;
      for (let i = 0; i < verdicts.length; i++) {
        const changed = change(part, verdicts[i]!, looks?.[i]);
        if (changed === null) continue;
        all ??= [...verdicts];
        all[i] = changed;
      }
      return { ...evaluated, verdicts: all ?? verdicts };
    },
  };
}

/** Extends an evaluator so that the URLs inside its inputs are checked, too. */
export function unwrapping(
  evaluator: Evaluator<CheckedLine>,
  checkMany: Checker["checkMany"],
): Evaluator<CheckedLine> {
  /** Adds the verdicts on the URLs inside a text to its verdict. Returns `null` if they do not change it. */
  function opened(text: string | Uint8Array, verdict: CheckedLine): CheckedLine | null {
    if (verdict.error?.code === "line-too-long") return null;
    const opened = unwrapLink(text);
    const { found, limits } = opened;
    if (found.length === 0 && limits.length === 0) return null;
    const verdicts = [...checkMany(found.map(({ url }) => url))];
    const inner: Match[] = found.flatMap((each, i) => innerMatches(each, verdicts[i]!));
    if (inner.length > 0)
      return { ...verdict, matches: [...verdict.matches, ...inner], error: null };
    const isDecided = verdict.matches.length > 0 || verdict.error !== null;
    const problem = isDecided ? null : problemInside(found, verdicts);
    if (problem !== null) return { ...verdict, error: problem };
    return mayHaveMore(opened, isDecided) ? { ...verdict, mayHaveMore: true } : null;
  }

  return changing(evaluator, (part, verdict, look) => {
    if (look !== undefined && look !== "maybe-inside") return null;
    const { text, refused } = inputAt(part, verdict);
    return refused === undefined ? opened(text, verdict) : null;
  });
}

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

/** Whether a URL is certainly on no list. */
export function isNotListed(verdict: CheckedLine): boolean {
  const { matches, safeMatches, error, mayHaveMore, followed } = verdict;
  if (mayHaveMore || (followed !== undefined && isUnfinished(followed))) return false;
  return error === null && matches.length === 0 && safeMatches.length === 0;
}

/**
 * Adds disguises to the verdicts of an evaluator: for each URL on no list, the disguises of that URL and of the URLs
 * that it leads to.
 */
export function findingDisguises(evaluator: Evaluator<CheckedLine>): Evaluator<CheckedLine> {
  return changing(evaluator, (part, verdict, look) => {
    if (look === "plain" || !isNotListed(verdict)) return null;
    const own = disguisesIn(inputAt(part, verdict).text, verdict.readings);
    const disguises = disguisesAlong(own, verdict.followed);
    return disguises.length === 0 ? null : { ...verdict, disguises };
  });
}
