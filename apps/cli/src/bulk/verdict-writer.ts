import { checkedUrl, inputRecord, matchRecord, matchText, type Refusal } from "@x/explain";
import { printable } from "@x/explain/printable";
import { isPlainCanonicalUrl } from "@x/list-source";
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
import { foreignInput } from "../input/foreign-input.ts";
import { refangPart, withAdvice } from "../input/refang-input.ts";
import type { Format } from "../output/format.ts";
import {
  asText,
  type Block,
  type BlockWriter,
  blockWriter,
  type InputPart,
  type Place,
  placeOf,
  type RowBlock,
} from "../output/results.ts";
import type { Row, RowFormat } from "../output/rows.ts";
import { verdictLines } from "../output/verdict-lines.ts";

/** Which URLs are written, and how. */
export interface WriterOptions {
  readonly lists: readonly PrefixList[];
  /** Lists of safe sites. */
  readonly safeLists: readonly PrefixList[];
  readonly readings: ReadingChoice;
  readonly format: Format;
  readonly rows: RowFormat;
  readonly onlyListed: boolean;
  /** Whether defanged URLs are turned back into the original ones before they are checked. */
  readonly refang: boolean;
  readonly colour: boolean;
}

/** The verdict on an argument or a line. */
type AnyVerdict = UrlVerdict<LineProblem>;

/** The columns of `--tsv`. */
export const VERDICT_COLUMNS = [
  "verdict",
  "canonical",
  "list",
  "expression",
  "prefix",
  "certainty",
  "reading",
  "problem",
] as const;

const CANONICAL_COLUMN = VERDICT_COLUMNS.indexOf("canonical");
/** The row of a URL that is not listed, without its canonical form. */
const NOT_LISTED_ROW: Row = ["not-listed", "", "", "", "", "", "", ""];
const NOT_LISTED: UrlVerdict = { matches: [], safeMatches: [], error: null, readings: null };

/** Whether there is nothing to say about a URL except that it is not listed. */
function isNotListed({ matches, safeMatches, error }: AnyVerdict): boolean {
  return error === null && matches.length === 0 && safeMatches.length === 0;
}

/** The row of a blank line, or of an input that is refused. */
export function rowWithout(refusal: Refusal | null): Row {
  if (refusal === null) return ["blank", "", "", "", "", "", "", ""];
  const { code } = refusal.error;
  return [code === "host-undecided" ? "undecided" : "not-a-url", "", "", "", "", "", "", code];
}

/**
 * Returns a function that checks a part of the input and writes the verdicts. The main thread and the workers use it
 * alike.
 */
export function verdictWriter({
  lists,
  safeLists,
  readings,
  format,
  rows,
  onlyListed,
  refang,
  colour,
}: WriterOptions): (part: InputPart, bytes: number) => Block {
  const { checkMany, scan } = checker(lists, { safeLists, readings });
  const chance = chanceOfFalseMatch(lists);
  const safeChance = chanceOfFalseMatch(safeLists);
  const writeText = verdictLines(picocolors.createColors(colour));
  const beforeNotListed = new TextEncoder().encode(writeText("not-listed", "", []));

  function toText(shown: string, { matches, safeMatches }: AnyVerdict): string {
    const reasons = [
      ...matches.map((match) => matchText(matchRecord(match), chance)),
      ...safeMatches.map((match) => {
        return `${matchText(matchRecord(match), safeChance)}, a list of safe sites`;
      }),
    ];
    return writeText(matches.length === 0 ? "not-listed" : "listed", shown, reasons);
  }

  const hasCanonical = rows.columns === null || rows.columns.includes(CANONICAL_COLUMN);

  function toRow(url: string | Uint8Array, verdict: AnyVerdict): Row {
    // Making the canonical form takes longer than checking the URL, so the form is made only if it is written.
    if (!hasCanonical && isNotListed(verdict)) return NOT_LISTED_ROW;
    const checked = checkedUrl(url, verdict);
    if ("error" in checked) return rowWithout(checked);
    const canonical = checked.canonical ?? checked.browser ?? "";
    const first = checked.matches.find(({ confirmed }) => confirmed) ?? checked.matches[0];
    if (first === undefined) return ["not-listed", canonical, "", "", "", "", "", ""];
    const { list, expression, prefix, confirmed, reading } = first;
    const certainty = confirmed ? "confirmed" : "probable";
    return ["listed", canonical, printable(list), expression, prefix, certainty, reading, ""];
  }

  function add(
    writer: BlockWriter,
    place: Place,
    url: string | Uint8Array,
    verdict: AnyVerdict,
    foreign: Refusal | null,
  ): void {
    const isListed = verdict.matches.length > 0;
    const given = asText(url);
    if (foreign !== null && !isListed) {
      const refused = withAdvice(foreign, refang);
      writer.refuse(place, refused, () => ({ ...inputRecord(given, "url"), ...foreign }));
      return;
    }
    if (verdict.error !== null) {
      const checked = checkedUrl(given, verdict);
      if ("error" in checked) writer.refuse(place, checked, () => checked);
      return;
    }
    writer.add(place, {
      isListed,
      toRecord: () => checkedUrl(given, verdict),
      toText: () => toText(printable(given), verdict),
      toRow: () => toRow(given, verdict),
    });
  }

  /** Why a line looks like another format; `null` if it does not. */
  function foreignIn(bytes: Uint8Array, { start, end, readings, error }: LineVerdict) {
    const isCanonical = readings === null && error === null;
    if (isCanonical && isPlainCanonicalUrl(bytes, start, end)) return null;
    return foreignInput(bytes.subarray(start, end), "URL");
  }

  function addBlock(writer: BlockWriter, block: RowBlock): number {
    const { bytes, refused } = block;
    const { findings, checked } = scan(block, { all: true });
    for (const finding of findings) {
      const { line, start, end } = finding;
      const unreadable = refused?.get(line) ?? null;
      const refusal = unreadable ?? foreignIn(bytes, finding);
      if (refusal === null && isNotListed(finding)) {
        if (onlyListed || writer.addPlain(beforeNotListed, bytes, start, end)) continue;
      }
      const verdict = unreadable === null ? finding : NOT_LISTED;
      add(writer, placeOf(block, line), bytes.subarray(start, end), verdict, refusal);
    }
    return checked;
  }

  return (given, bytes) => {
    const part = refang ? refangPart(given) : given;
    const writer = blockWriter(part, { format, onlyListed, rowWithout, rows });
    if (!("place" in part)) {
      return writer.finish(addBlock(writer, part), bytes);
    }
    for (const verdict of checkMany([part.text])) {
      add(writer, part.place, part.text, verdict, foreignInput(part.text, "URL"));
    }
    return writer.finish(1, bytes);
  };
}
