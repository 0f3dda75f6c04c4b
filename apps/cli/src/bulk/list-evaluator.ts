import { checkedUrl, matchRecord, matchText } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  chanceOfFalseMatch,
  checker,
  type LineProblem,
  type LineVerdict,
  type ReadingChoice,
  type UrlVerdict,
} from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import picocolors from "picocolors";
import type { Finding, RefusedInput } from "../output/results.ts";
import type { Row, RowFormat } from "../output/rows.ts";
import { verdictLines } from "../output/verdict-lines.ts";
import { rowWithoutVerdict, VERDICT_COLUMNS } from "../output/verdict-rows.ts";
import {
  type EvaluatePart,
  evaluatePartWith,
  type PartOptions,
} from "../pipeline/evaluate-part.ts";
import type { Evaluator } from "../pipeline/evaluator.ts";

/** The lists to check against, and how the verdicts are written. Plain data, which can be sent to a thread. */
export interface ListCheck extends Pick<PartOptions, "format" | "refang"> {
  readonly lists: readonly PrefixList[];
  /** Lists of safe sites. */
  readonly safeLists: readonly PrefixList[];
  readonly readings: ReadingChoice;
  readonly rows: RowFormat;
  readonly onlyListed: boolean;
  readonly colour: boolean;
}

/** The verdict on an argument or a line. */
type AnyVerdict = UrlVerdict<LineProblem>;

const CANONICAL_COLUMN = VERDICT_COLUMNS.indexOf("canonical");
/** The row of a URL that is not listed, without its canonical form. */
const NOT_LISTED_ROW: Row = ["not-listed", "", "", "", "", "", "", ""];

/** Whether there is nothing to say about a URL except that it is not listed. */
function isNotListed({ matches, safeMatches, error }: AnyVerdict): boolean {
  return error === null && matches.length === 0 && safeMatches.length === 0;
}

/** The row of a URL. */
function rowOf(url: string | Uint8Array, verdict: AnyVerdict): Row {
  const checked = checkedUrl(url, verdict);
  if ("error" in checked) return rowWithoutVerdict(checked);
  const canonical = checked.canonical ?? checked.browser ?? "";
  const first = checked.matches.find(({ confirmed }) => confirmed) ?? checked.matches[0];
  if (first === undefined) return ["not-listed", canonical, "", "", "", "", "", ""];
  const { list, expression, prefix, confirmed, reading } = first;
  const certainty = confirmed ? "confirmed" : "probable";
  return ["listed", canonical, printable(list), expression, prefix, certainty, reading, ""];
}

/** Checks URLs against lists of hash prefixes. */
function listEvaluator({
  lists,
  safeLists,
  readings,
  rows,
  colour,
}: ListCheck): Evaluator<LineVerdict> {
  const { checkMany, scan } = checker(lists, { safeLists, readings });
  const chance = chanceOfFalseMatch(lists);
  const safeChance = chanceOfFalseMatch(safeLists);
  const writeText = verdictLines(picocolors.createColors(colour));
  const beforeNotListed = new TextEncoder().encode(writeText("not-listed", "", []));
  const hasCanonical = rows.columns === null || rows.columns.includes(CANONICAL_COLUMN);

  function toText(shown: string, { matches, safeMatches }: AnyVerdict): string {
    const reasons = [
      ...matches.map((match) => matchText(matchRecord(match), chance)),
      ...safeMatches.map((match) => {
        return `${matchText(matchRecord(match), safeChance)}, a list of safe sites`;
      }),
    ];
    return writeText(matches.length === 0 ? "not-listed" : "listed", shown, reasons);
  }

  function resultOf(url: string | Uint8Array, verdict: AnyVerdict): Finding | RefusedInput {
    if (verdict.error !== null) {
      const checked = checkedUrl(url, verdict);
      if ("error" in checked) return { error: checked.error };
    }
    return {
      isListed: verdict.matches.length > 0,
      toRecord: () => checkedUrl(url, verdict),
      toText: (shown) => toText(shown, verdict),
      // Making the canonical form takes longer than checking the URL, so the form is made only if it is written.
      toRow: () => (!hasCanonical && isNotListed(verdict) ? NOT_LISTED_ROW : rowOf(url, verdict)),
    };
  }

  return {
    evaluate(part) {
      if ("place" in part) {
        const [verdict] = checkMany([part.text]);
        return { verdicts: [{ line: 0, start: 0, end: 0, ...verdict! }], count: 1 };
      }
      const { findings, checked } = scan(part, { all: true });
      return { verdicts: findings, count: checked };
    },
    resultOf,
    isCanonical: ({ readings, error }) => readings === null && error === null,
    labelOf: (verdict) => (isNotListed(verdict) ? beforeNotListed : null),
  };
}

/** Checks the URLs in a part of the input, and writes the verdicts. The main thread and the workers use it alike. */
export function evaluatePartWithLists(check: ListCheck): EvaluatePart {
  const { format, rows, onlyListed, refang } = check;
  const writing = { format, rows, onlyListed, rowWithout: rowWithoutVerdict };
  return evaluatePartWith(listEvaluator(check), { ...writing, noun: "URL", refang });
}
