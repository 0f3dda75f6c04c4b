import { Failure } from "@x/command-line";
import {
  type ColumnReader,
  type ColumnReaderOptions,
  columnReader,
  ListSourceError,
} from "@x/list-source";
import { InvalidArgumentError } from "commander";
import { nameOf } from "./read-file.ts";

/** The value of `--column`: a column by its name or number. */
export function columnOf(text: string): string | number {
  if (text === "") throw new InvalidArgumentError("Expected the name or number of a column.");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : text;
}

/**
 * A reader for one column of the table in `file`. `line` throws a {@link Failure} when the table does not have the column, or
 * has several of that name.
 *
 * @param shown makes text of the table safe to show in a message.
 */
export function tableReader(
  file: string,
  shown: (text: string) => string,
  options: ColumnReaderOptions,
): ColumnReader {
  const reader = columnReader(options);
  return {
    ...reader,
    line(text, number) {
      try {
        reader.line(text, number);
      } catch (error) {
        if (!(error instanceof ListSourceError)) throw error;
        const { found, expected } = error;
        throw new Failure(
          `${nameOf(file)} looks like ${shown(found)}: expected ${shown(expected)}`,
        );
      }
    },
  };
}
