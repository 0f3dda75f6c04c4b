import { printable, printableJson } from "@x/explain/printable";
import { type Format, FRAMES } from "./format.ts";
import { type LinkPlace, linkPlaceText } from "./link-place.ts";
import { outBuffer } from "./out-buffer.ts";
import type { Block, Finding, InputPart, Place, RefusedInput, RowWithout } from "./results.ts";
import { PLAIN_ROWS, type Row, type RowFormat, rowLine } from "./rows.ts";

/** Collects results in a block, in the order of their inputs. */
export interface BlockWriter {
  /** Writes the result for an input. */
  readonly add: (place: Place, input: string | Uint8Array, finding: Finding) => void;
  /**
   * Writes a line of text for an input that is not listed: `label` and the input. Returns `false`, and writes nothing,
   * when the input is not printable ASCII, or the output is not text.
   */
  readonly addPlain: (label: Uint8Array, bytes: Uint8Array, start: number, end: number) => boolean;
  /** Writes the reason why an input is refused. */
  readonly refuse: (place: Place, refused: RefusedInput, toRecord: () => object) => void;
  /** Returns the block. `inputs` also counts inputs without output. */
  readonly finish: (inputs: number, bytes: number) => Block;
}

/** The number of bytes to reserve for the label and the line end of each line. */
const LABEL_BYTES = 16;

/** The options for writing results. */
export interface BlockOptions {
  readonly format: Format;
  /** Leaves out inputs that are neither listed, refused, unsure nor disguised. */
  readonly onlyListed?: boolean | undefined;
  /** The row of an input without a result, for commands that write rows. */
  readonly rowWithout?: RowWithout | undefined;
  readonly rows?: RowFormat | undefined;
}

export function blockWriter(
  part: InputPart,
  { format, onlyListed = false, rowWithout = () => [], rows = PLAIN_ROWS }: BlockOptions,
): BlockWriter {
  const { beforeOthers, after } = FRAMES[format];
  const out = outBuffer("place" in part ? 0 : part.bytes.length + LABEL_BYTES * part.lines);
  let [errors, listed, refusals, unsure, disguised, unfinished] = ["", 0, 0, 0, 0, 0];
  /** The number of the first line for which no row has been written yet. */
  let nextLine = "place" in part ? 1 : part.firstLine + 1;
  const addJson = (place: Place, record: object): void => {
    out.addText(beforeOthers + printableJson(Object.assign({}, place, record)) + after);
  };
  const blank = rowWithout(null);
  const nulls = "place" in part ? undefined : part.nulls;
  const addRow = (row: Row | null): void => {
    out.addText(rowLine(row, nextLine, blank.length, rows));
    nextLine++;
  };
  const addBlankRowsTo = (line: number): void => {
    while (nextLine < line) addRow(nulls?.has(nextLine - 1) ? null : blank);
  };
  const addRowOf = (place: Place, row: Row): void => {
    if (!("argument" in place || "column" in place)) addBlankRowsTo(numberOf(place));
    addRow(row);
  };
  return {
    add(place, input, finding) {
      const { isListed, isUnsure = false, isDisguised = false, isUnfinished = false } = finding;
      const { toRecord, toText, warning, toRow } = finding;
      if (warning) errors += `urlhash: warning: ${placeText(place)}: ${warning}\n`;
      if (isUnfinished) unfinished++;
      if (isListed) listed++;
      else if (isUnsure) unsure++;
      else if (isDisguised) disguised++;
      else if (onlyListed) return;
      if (format === "tsv") addRowOf(place, toRow!());
      else if (format === "text") out.addText(beforeOthers + toText(printable(input)) + after);
      else addJson(place, toRecord());
    },
    addPlain: (label, bytes, start, end) =>
      format === "text" && out.addPlainLine(label, bytes, start, end),
    refuse(place, refused, toRecord) {
      refusals++;
      if (format === "tsv") addRowOf(place, rowWithout(refused));
      else if (format === "text") errors += problemText(place, refused);
      else addJson(place, toRecord());
    },
    finish: (inputs, bytes) => {
      if (format === "tsv" && !("place" in part)) addBlankRowsTo(part.firstLine + part.lines + 1);
      const counts = { inputs, listed, refused: refusals, unsure, disguised, unfinished };
      return { out: out.finish(), errors, ...counts, bytes };
    },
  };
}

/** Lines for stderr about an input that is refused. */
export function problemText(
  place: Place,
  { error, text = printable(error.message) }: RefusedInput,
): string {
  return `urlhash: ${placeText(place)}: ${text}\n`;
}

function numberOf(place: Exclude<Place, LinkPlace>): number {
  return Object.values(place)[0]!;
}

function placeText(place: Place): string {
  if ("column" in place) return linkPlaceText(place);
  return `${Object.keys(place)[0]} ${numberOf(place)}`;
}
