import type { UrlProblem } from "@x/canon/readings";
import type { CheckAnswer, FollowedLink } from "@x/links/follow";
import { lookAtUrl, type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import type { Checker, LineVerdict, Match, UrlVerdict } from "@x/lookup";
import { innerMatches, mayHaveMore, mustBeUrl } from "@x/lookup/inside";
import { inputAt } from "../input/arguments-or-lines.ts";
import type { Evaluator } from "../pipeline/evaluator.ts";
import type { FoundDisguise } from "./found-disguises.ts";

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
export interface LineAnswer extends CheckAnswer {
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

  return {
    ...evaluator,
    async evaluate(part) {
      const evaluated = await evaluator.evaluate(part);
      const { verdicts, looks } = evaluated;
      let all: CheckedLine[] | null = null;
      for (let i = 0; i < verdicts.length; i++) {
        if (looks !== undefined && looks[i] !== "maybe-inside") continue;
        const { text, refused } = inputAt(part, verdicts[i]!);
        const changed = refused === undefined ? opened(text, verdicts[i]!) : null;
        if (changed === null) continue;
        all ??= [...verdicts];
        all[i] = changed;
      }
      return { ...evaluated, verdicts: all ?? verdicts };
    },
  };
}
