import {
  checkedUrl,
  inputRecord,
  matchRecord,
  matchText,
  type Refusal,
  VERDICT_LABELS,
} from "@x/explain";
import { printable } from "@x/explain/printable";
import { arePlainUrls } from "@x/list-source";
import { checker, type LineVerdict, type Readings } from "@x/lookup";
import { type LineBlock, linesIn } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import picocolors from "picocolors";
import type { InputPart } from "../input/arguments-or-lines.ts";
import { foreignLine } from "../input/foreign-input.ts";
import type { Format } from "../output/format.ts";
import {
  asText,
  type Block,
  type BlockWriter,
  blockWriter,
  type Place,
  type Row,
} from "../output/results.ts";

import { withoutStackTraces } from "../without-stack-traces.ts";

/** The verdicts to write. */
export interface VerdictOptions {
  readonly lists: readonly PrefixList[];
  /** Lists of safe sites. */
  readonly safeLists: readonly PrefixList[];
  readonly readings: Readings;
  readonly format: Format;
  readonly onlyListed: boolean;
  readonly colour: boolean;
}

type Verdict = Pick<LineVerdict, "matches" | "safeMatches" | "error">;

/** The verdict on a line. */
type Found = Pick<LineVerdict, "line" | "start" | "end"> & Verdict;

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

const LABEL_COLUMNS = VERDICT_LABELS["not-listed"].length;
const NOT_LISTED = { matches: [], safeMatches: [], error: null };

/** The row of a blank line, or of an input that is not a URL. */
function rowWithout(refusal: Refusal | null): Row {
  const [verdict, problem] = refusal === null ? ["blank", ""] : ["not-a-url", refusal.error.code];
  return [verdict, "", "", "", "", "", "", problem];
}

/** Checks URLs against lists and writes the verdicts, in the main thread and in workers alike. */
export function verdictWriter({
  lists,
  safeLists,
  readings,
  format,
  onlyListed,
  colour,
}: VerdictOptions): (part: InputPart, bytes: number) => Block & { readonly out: string } {
  const { checkMany, scan } = checker(lists, { safeLists, readings });
  const colours = picocolors.createColors(colour);
  const label = {
    listed: colours.red(colours.bold(VERDICT_LABELS.listed.toUpperCase().padEnd(LABEL_COLUMNS))),
    notListed: colours.green(VERDICT_LABELS["not-listed"]),
  };

  function toText(shown: string, { matches, safeMatches }: Verdict): string {
    const reasons = [
      ...matches.map((match) => matchText(matchRecord(match))),
      ...safeMatches.map((match) => `${matchText(matchRecord(match))}, a list of safe sites`),
    ].map((reason) => `\n${" ".repeat(LABEL_COLUMNS + 2)}${colours.dim(printable(reason))}`);
    const verdict = matches.length === 0 ? label.notListed : label.listed;
    return `${verdict}  ${shown}${reasons.join("")}`;
  }

  function toRow(url: string | Uint8Array, verdict: Verdict): Row {
    const checked = checkedUrl(url, verdict, readings);
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
    verdict: Verdict,
  ): void {
    const isListed = verdict.matches.length > 0;
    const foreign = typeof url === "string" || isListed ? null : foreignLine(url, "URL");
    if (foreign !== null) {
      writer.refuse(place, foreign, () => ({ ...inputRecord(url, "url"), ...foreign }));
      return;
    }
    const given = asText(url);
    if (verdict.error !== null) {
      const checked = checkedUrl(given, verdict);
      if ("error" in checked) writer.refuse(place, checked, () => checked);
      return;
    }
    writer.add(place, {
      isListed,
      toRecord: () => checkedUrl(given, verdict, readings),
      toText: () => toText(printable(given), verdict),
      toRow: () => toRow(given, verdict),
    });
  }

  /** What is to be written of a block: also what has the shape of another format, which no list can have. */
  function findingsIn(block: LineBlock): { findings: readonly Found[]; checked: number } {
    const { findings, checked } = scan(block, { all: !onlyListed });
    if (!onlyListed || arePlainUrls(block.bytes)) return { findings, checked };
    const found = new Set(findings.map(({ line }) => line));
    const foreign: Found[] = [];
    for (const { line, start, end, isTooLong } of linesIn(block)) {
      if (isTooLong || found.has(line)) continue;
      if (foreignLine(block.bytes.subarray(start, end), "URL") === null) continue;
      foreign.push({ line, start, end, ...NOT_LISTED });
    }
    if (foreign.length === 0) return { findings, checked };
    return { findings: [...findings, ...foreign].sort((a, b) => a.line - b.line), checked };
  }

  function addBlock(writer: BlockWriter, block: LineBlock): number {
    const { findings, checked } = findingsIn(block);
    let next = block.firstLine;
    const skipTo = (line: number): void => {
      for (; next < line; next++) writer.skip();
      next = line + 1;
    };
    for (const { line, start, end, ...verdict } of findings) {
      skipTo(line);
      add(writer, { line: line + 1 }, block.bytes.subarray(start, end), verdict);
    }
    skipTo(block.firstLine + block.lines);
    return checked;
  }

  return (part, bytes) => {
    const writer = blockWriter(format, onlyListed, rowWithout);
    if (!("place" in part)) {
      const checked = withoutStackTraces(() => addBlock(writer, part));
      return writer.finish(checked, bytes);
    }
    for (const verdict of checkMany([part.text])) add(writer, part.place, part.text, verdict);
    return writer.finish(1, bytes);
  };
}
