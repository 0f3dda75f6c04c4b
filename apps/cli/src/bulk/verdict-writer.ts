import { checkedUrl, matchRecord, matchText, VERDICT_LABELS } from "@x/explain";
import { printable } from "@x/explain/printable";
import { checker, type LineVerdict } from "@x/lookup";
import type { LineBlock } from "@x/lookup/lines";
import type { PrefixList } from "@x/prefix-list";
import picocolors from "picocolors";
import type { InputPart } from "../input/arguments-or-lines.ts";
import type { Format } from "../output/format.ts";
import {
  asText,
  type Block,
  type BlockWriter,
  blockWriter,
  type Place,
} from "../output/results.ts";

/** The verdicts to write. */
export interface VerdictOptions {
  readonly lists: readonly PrefixList[];
  readonly format: Format;
  readonly onlyListed: boolean;
  readonly colour: boolean;
}

type Verdict = Pick<LineVerdict, "matches" | "error">;

const LABEL_COLUMNS = VERDICT_LABELS["not-listed"].length;

/** Checks URLs against lists and writes the verdicts, in the main thread and in workers alike. */
export function verdictWriter({
  lists,
  format,
  onlyListed,
  colour,
}: VerdictOptions): (part: InputPart, bytes: number) => Block & { readonly out: string } {
  const { checkMany, scan } = checker(lists, { readings: "specification" });
  const colours = picocolors.createColors(colour);
  const label = {
    listed: colours.red(colours.bold(VERDICT_LABELS.listed.toUpperCase().padEnd(LABEL_COLUMNS))),
    notListed: colours.green(VERDICT_LABELS["not-listed"]),
  };

  function toText(shown: string, { matches }: Verdict): string {
    if (matches.length === 0) return `${label.notListed}  ${shown}`;
    const reasons = matches.map((match) => {
      const reason = printable(matchText(matchRecord(match)));
      return `\n${" ".repeat(LABEL_COLUMNS + 2)}${colours.dim(reason)}`;
    });
    return `${label.listed}  ${shown}${reasons.join("")}`;
  }

  function add(
    writer: BlockWriter,
    place: Place,
    url: string | Uint8Array,
    verdict: Verdict,
  ): void {
    if (verdict.error !== null) {
      const checked = checkedUrl(url, verdict);
      if ("error" in checked) writer.refuse(place, checked, checked);
      return;
    }
    const given = asText(url);
    writer.add(place, {
      isListed: verdict.matches.length > 0,
      toRecord: () => checkedUrl(given, verdict),
      toText: () => toText(printable(given), verdict),
    });
  }

  function addBlock(writer: BlockWriter, block: LineBlock): number {
    const { findings, checked } = scan(block, { all: !onlyListed });
    for (const verdict of findings) {
      const url = block.bytes.subarray(verdict.start, verdict.end);
      add(writer, { line: verdict.line + 1 }, url, verdict);
    }
    return checked;
  }

  return (part, bytes) => {
    const writer = blockWriter(format, onlyListed);
    if (!("place" in part)) return writer.finish(addBlock(writer, part), bytes);
    for (const verdict of checkMany([part.text])) add(writer, part.place, part.text, verdict);
    return writer.finish(1, bytes);
  };
}
