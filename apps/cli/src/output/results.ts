import type { Refusal } from "@x/explain";
import { isPlain, printable, printableJson } from "@x/explain/printable";
import type { LineBlock } from "@x/lookup/lines";
import { type Format, FRAMES } from "./format.ts";
import { type LinkPlace, linkPlaceText } from "./link-place.ts";
import { outBuffer } from "./out-buffer.ts";
import { PLAIN_ROWS, type Row, type RowFormat, rowLine } from "./rows.ts";

/** The kind of input of a command. In lower case, it is the name of the record member that holds the input. */
export type Noun = "URL" | "URI" | "URN" | "name";

/** The origin of an input: the number of a line, a table row or an argument, from 1, or the place of a link. */
export type Place =
  | LinkPlace
  | { readonly line: number }
  | { readonly row: number }
  | { readonly argument: number };

/** The place of a line in a block. @param index from 0. */
export function placeOf({ isTable = false }: RowBlock, index: number): Place {
  return isTable ? { row: index + 1 } : { line: index + 1 };
}

/** An argument, a line, or a field of a table. */
export interface Input {
  readonly place: Place;
  readonly text: string | Uint8Array;
  /** The reason, if a row cannot be read. `text` is then the row, or its beginning. */
  readonly refused?: Refusal | undefined;
}

/** Lines, or rows of a table that were converted to lines. A converted line has only the field of one column. */
export interface RowBlock extends LineBlock {
  /** Whether the lines were rows of a table, which are counted instead of lines. */
  readonly isTable?: boolean;
  /**
   * The reasons why rows cannot be read, by the indices of the rows. Their lines contain the rows or their beginnings,
   * and never count as checked.
   */
  readonly refused?: ReadonlyMap<number, Refusal>;
  /** The indices of rows that contain NULL. The lines of such rows are blank. */
  readonly nulls?: ReadonlySet<number>;
}

/** An argument, or a block of lines. */
export type InputPart = Input | RowBlock;

/** The result for one input. */
export interface Finding {
  /** Whether the input is listed, or matched. */
  readonly isListed: boolean;
  /** Whether there is no verdict: no list matched, but the input must not count as "not listed". */
  readonly isUnsure?: boolean | undefined;
  /** Whether there is no verdict because the input could not be followed to its end. */
  readonly isUnfinished?: boolean | undefined;
  /** Whether the input is on no list, but built to mislead people. */
  readonly isDisguised?: boolean | undefined;
  /** The JSON record, without the place of the input. */
  readonly toRecord: () => object;
  /** Whole lines for people, without the final line ending. `shown` is the input, printable. */
  readonly toText: (shown: string) => string;
  /** A line for stderr, printable. */
  readonly warning?: string | null | undefined;
  /** The fields of a row, printable, for commands that write rows. */
  readonly toRow?: (() => Row) | undefined;
}

/** The row of an input without a result: `refusal` is `null` for a blank line. */
export type RowWithout = (refusal: Refusal | null) => Row;

/** The result for an input that is refused, for example because it is not a URL. */
export interface RefusedInput extends Refusal {
  /** Printable text for people, in place of the message. */
  readonly text?: string;
}

/** Results in the form in which they are written, in the order of the inputs. */
export interface Block {
  /** Records, each after a separator, even the first one. */
  readonly out: string | Uint8Array<ArrayBuffer>;
  /** Lines for stderr. */
  readonly errors: string;
  /** The number of inputs. */
  readonly inputs: number;
  readonly listed: number;
  readonly refused: number;
  readonly unsure: number;
  /** The number of disguised URLs; only for commands that check URLs. */
  readonly disguised?: number;
  /** The number of unsure inputs that could not be followed to their end. */
  readonly unfinished?: number;
  /** The number of bytes that were read for the block. */
  readonly bytes: number;
}

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
      if (isUnfinished) unfinished++;
      if (isListed) listed++;
      else if (isUnsure) unsure++;
      else if (isDisguised) disguised++;
      else if (onlyListed) return;
      if (warning) errors += `urlhash: warning: ${placeText(place)}: ${warning}\n`;
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

/** Turns bytes that are printable ASCII into a string, which is faster to process. Returns other inputs unchanged. */
export function asText(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === "string") return text;
  // `Buffer` makes one character for each byte. In `TextDecoder`, "latin1" means windows-1252, where 0x80 is the euro
  // sign.
  const characters = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("latin1");
  return isPlain(characters) ? characters : text;
}
