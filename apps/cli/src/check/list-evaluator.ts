import { checkedUrl, matchRecord, matchText } from "@x/explain";
import { aboutText } from "@x/explain/about";
import { lookAtUrl, type UrlLook } from "@x/links/unwrap";
import type { About } from "@x/list-store";
import { chanceOfFalseMatch, checker } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import picocolors from "picocolors";
import {
  type EvaluatePart,
  type Evaluator,
  evaluatePartWith,
  type PartOptions,
} from "../evaluate.ts";
import type { ListWithAbout } from "../input/list-files.ts";
import type { Finding, RefusedInput } from "../output/results.ts";
import { MAY_HAVE_MORE, verdictLines } from "../output/verdicts.ts";
import { chainCode, chainLines, chainRecord, isUnfinished } from "./chain.ts";
import {
  type CheckedLine,
  findingDisguises,
  following,
  isNotListed,
  unwrapping,
} from "./checked-line.ts";
import { disguiseLines, IMITATIONS } from "./disguises.ts";
import type { Follow } from "./follower.ts";

/** The lists to check against and the settings for verdicts, as plain data that can be sent to a thread. */
export interface ListCheck extends Pick<PartOptions, "format" | "refang"> {
  readonly lists: readonly ListWithAbout[];
  /** Lists of safe sites. */
  readonly safeLists: readonly PrefixList[];
  readonly onlyListed: boolean;
  readonly colour: boolean;
  /** Whether the URLs inside URLs are checked, too. */
  readonly unwrap: boolean;
}

/** Whether a verdict says only that the URL is not listed, without disguises or a chain of redirects. */
function isPlainlyNotListed(verdict: CheckedLine): boolean {
  const { disguises, followed } = verdict;
  return disguises === undefined && followed === undefined && isNotListed(verdict);
}

/** The code of the reason why a URL has no verdict; `null` if it has one. */
function unsureCode({ mayHaveMore, followed }: CheckedLine): string | null {
  if (mayHaveMore) return "unwrap-limit";
  return followed !== undefined && isUnfinished(followed) ? chainCode(followed) : null;
}

/** The record of a URL. If the URL has no verdict, the record has `listed: null` and the reason. */
function recordOf(url: string | Uint8Array, verdict: CheckedLine): object {
  const checked = withAbouts(checkedUrl(url, verdict), verdict);
  const { disguises, followed } = verdict;
  const reason = unsureCode(verdict);
  return {
    ...checked,
    ...(disguises !== undefined && { disguises }),
    ...(reason !== null && { listed: null, reason }),
    ...(followed !== undefined && { chain: chainRecord(followed) }),
  };
}

/** What the publisher says about the list of a match. */
const aboutOf = ({ list }: CheckedLine["matches"][number]): About | undefined =>
  (list as ListWithAbout).about;

/** Adds to each match what the publisher of its list says. */
function withAbouts(
  checked: ReturnType<typeof checkedUrl>,
  { matches }: Pick<CheckedLine, "matches">,
): object {
  if ("error" in checked || !matches.some(aboutOf)) return checked;
  const described = checked.matches.map((match, i) => {
    const about = aboutOf(matches[i]!);
    return about === undefined ? match : { ...match, about };
  });
  return { ...checked, matches: described };
}

/** The lines with what publishers say about the lists of matches, each list once. */
function aboutLines(matches: CheckedLine["matches"]): string[] {
  const lines = matches.flatMap((match) => {
    const about = aboutOf(match);
    return about === undefined ? [] : `${match.list.name}: ${aboutText(about)}`;
  });
  return [...new Set(lines)];
}

/** A verdict that only says that the URL is not listed. */
const NOT_LISTED: Pick<CheckedLine, "matches" | "safeMatches"> = { matches: [], safeMatches: [] };

type TextOfVerdict = typeof NOT_LISTED &
  Pick<CheckedLine, "mayHaveMore" | "disguises" | "followed">;

/** Returns a function that writes the verdict on a URL as text. */
function textWriter({
  lists,
  safeLists,
  colour,
}: Pick<ListCheck, "lists" | "safeLists" | "colour">): (
  shown: string,
  verdict: TextOfVerdict,
) => string {
  const chance = chanceOfFalseMatch(lists);
  const safeChance = chanceOfFalseMatch(safeLists);
  const write = verdictLines(picocolors.createColors(colour));
  return (shown, { matches, safeMatches, mayHaveMore, disguises, followed }) => {
    const chain = followed === undefined ? [] : chainLines(followed);
    if (disguises !== undefined) {
      return write("disguised", shown, [...disguiseLines(disguises), ...chain]);
    }
    const reasons = [
      ...(mayHaveMore ? [MAY_HAVE_MORE] : []),
      ...chain,
      ...matches.map((match) => matchText(matchRecord(match), chance)),
      ...aboutLines(matches),
      ...safeMatches.map((match) => {
        return `${matchText(matchRecord(match), safeChance)}, a list of safe sites`;
      }),
    ];
    const isUnsure = mayHaveMore || (followed !== undefined && isUnfinished(followed));
    const word = isUnsure ? "unsure" : "not-listed";
    return write(matches.length === 0 ? word : "listed", shown, reasons);
  };
}

function listEvaluator(
  { lists, safeLists, colour, unwrap }: ListCheck,
  follow: Follow | null,
): Evaluator<CheckedLine> {
  const { checkMany, scan } = checker(lists, { safeLists });
  const writeText = textWriter({ lists, safeLists, colour });
  const beforeNotListed = new TextEncoder().encode(writeText("", NOT_LISTED));

  function resultOf(url: string | Uint8Array, verdict: CheckedLine): Finding | RefusedInput {
    if (verdict.error !== null) {
      const checked = checkedUrl(url, verdict);
      if ("error" in checked) return { error: checked.error };
    }
    const { followed } = verdict;
    return {
      isListed: verdict.matches.length > 0,
      isUnsure: unsureCode(verdict) !== null,
      isUnfinished: followed !== undefined && isUnfinished(followed),
      isDisguised: verdict.disguises !== undefined,
      toRecord: () => recordOf(url, verdict),
      toText: (shown) => writeText(shown, verdict),
    };
  }

  const evaluator: Evaluator<CheckedLine> = {
    evaluate(part) {
      if ("place" in part) {
        const [verdict] = checkMany([part.text]);
        return { verdicts: [{ line: 0, start: 0, end: 0, ...verdict! }], count: 1 };
      }
      const { verdicts, checked } = scan(part, { all: true });
      // Its tables are made for the first part of a file; URLs given as arguments need none.
      const isImitation = IMITATIONS.quickTest();
      const looks = verdicts.map(({ start, end, readings, error }): UrlLook => {
        const look = lookAtUrl(part.bytes, start, end, isImitation);
        // The command does not report links that only their service can open.
        if (look !== "plain" && look !== "maybe-closed") return look;
        return readings === null && error === null ? "plain" : "nothing-inside";
      });
      return { verdicts, count: checked, looks };
    },
    resultOf,
    labelOf: (verdict) => (isPlainlyNotListed(verdict) ? beforeNotListed : null),
  };
  const opening = unwrap ? unwrapping(evaluator, checkMany) : evaluator;
  return findingDisguises(follow === null ? opening : following(opening, follow));
}

/**
 * Checks the URLs in a part of the input and writes the verdicts. Both the main thread and the workers use this
 * function.
 *
 * @param follow follows the URLs that are not listed; `null` if URLs are not followed.
 */
export function evaluatePartWithLists(
  check: ListCheck,
  follow: Follow | null = null,
): EvaluatePart {
  const { format, onlyListed, refang } = check;
  return evaluatePartWith(listEvaluator(check, follow), {
    noun: "URL",
    format,
    onlyListed,
    refang,
  });
}
