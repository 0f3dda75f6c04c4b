import { checkedUrl, inputRecord, matchRecord, matchText, type Refusal } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  chanceOfFalseMatch,
  checker,
  type LineProblem,
  type LineVerdict,
  type ReadingChoice,
  type UrlVerdict,
} from "@x/lookup";
import { linesIn } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import picocolors from "picocolors";
import { foreignInput, foreignLines } from "../input/foreign-input.ts";
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

/** The findings to write for a block. */
interface Findings {
  /** In line order. */
  readonly findings: readonly LineVerdict[];
  /** Why lines and rows are refused, by their indices. They look like another format, or cannot be read. */
  readonly foreign: ReadonlyMap<number, Refusal>;
  /** The number of lines that are not blank. */
  readonly checked: number;
}

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

  /** The findings to write for a block. They include all lines that look like another format, listed or not. */
  function findingsIn(block: RowBlock): Findings {
    const { findings, checked } = scan(block, { all: !onlyListed });
    const shapes = foreignLines(block.bytes, onlyListed ? linesIn(block) : findings);
    const foreign =
      block.refused === undefined || block.refused.size === 0
        ? shapes
        : new Map([...shapes, ...block.refused]);
    if (!onlyListed || foreign.size === 0) return { findings, foreign, checked };
    const found = new Set(findings.map(({ line }) => line));
    const others: LineVerdict[] = [];
    for (const { line, start, end } of linesIn(block)) {
      if (foreign.has(line) && !found.has(line)) others.push({ line, start, end, ...NOT_LISTED });
    }
    const all = [...findings, ...others].sort((a, b) => a.line - b.line);
    return { findings: all, foreign, checked };
  }

  function addBlock(writer: BlockWriter, block: RowBlock): number {
    const { bytes } = block;
    const { findings, foreign, checked } = findingsIn(block);
    for (const finding of findings) {
      const { line, start, end } = finding;
      const refusal = foreign.get(line) ?? null;
      const isPlain = refusal === null && isNotListed(finding);
      if (isPlain && writer.addPlain(beforeNotListed, bytes, start, end)) continue;
      const verdict = block.refused?.has(line) ? NOT_LISTED : finding;
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
