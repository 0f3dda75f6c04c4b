import type { Refusal } from "@x/explain";
import type { LinePlace } from "@x/links";
import type { MailPlace } from "@x/links/mail";
import type { LineBlock } from "@x/lookup/lines";

/** The kind of input of a command. In lower case, it is the name of the record member that holds the input. */
export type Noun = "URL" | "URI" | "URN";

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
  /** The reason why a row cannot be read. `text` is then the row or its beginning. */
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
  /** Whether the input is on no list, but is built to mislead people. */
  readonly isDisguised?: boolean | undefined;
  /** The JSON record, without the place of the input. */
  readonly toRecord: () => object;
  /** Whole lines for people, without the final line ending. `shown` is the printable input. */
  readonly toText: (shown: string) => string;
  /** A printable line for stderr. */
  readonly warning?: string | null | undefined;
}

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

/** The place of a link. Lines and columns count from 1; in an email, they are those of the decoded part. */
export interface LinkPlace extends LinePlace {
  /** The path to the part of the email, from the outermost part to the innermost. */
  readonly part?: readonly string[];
  /** The other places of the same URL in the email. */
  readonly also?: readonly MailPlace[];
}

/** Formats the place of a link for people. */
export function linkPlaceText({ part, line, column }: LinkPlace): string {
  return `${partText(part)}${line}:${column}`;
}

/** Formats the other places of the same URL in parentheses. Returns `""` if there are none. */
export function otherPlacesText({ also = [] }: LinkPlace): string {
  return also.length === 0 ? "" : ` (also ${also.map(linkPlaceText).join(", ")})`;
}

/** Formats the part of an email, followed by a colon. Returns `""` for the email itself. */
export function partText(part: readonly string[] = []): string {
  return part.length === 0 ? "" : `${part.join(" > ")}:`;
}
