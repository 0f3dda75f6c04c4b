import { Failure } from "@x/command-line";
import {
  type ColumnReader,
  type ColumnReaderOptions,
  columnReader,
  isWhere,
  type ListSourceError,
} from "@x/list-source";
import { hasName } from "@x/sha256-prefix/has-name";
import { InvalidArgumentError } from "commander";
import { nameOf } from "./read-file.ts";

/** Parses the value of `--column`: the name or the number of a column. */
export function columnOf(text: string): string | number {
  if (text === "") throw new InvalidArgumentError("Expected the name or number of a column.");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : text;
}

/** Adds a value of `--where`: a condition such as `verdict=malicious`, or `all`. */
export function whereOf(text: string, before: readonly string[] = []): readonly string[] {
  if (!isWhere(text)) {
    throw new InvalidArgumentError('Expected a condition such as "verdict=malicious", or "all".');
  }
  return [...before, text];
}

/**
 * Makes a reader for one column of the table in `file`. Its method `line` throws a {@link Failure} when the table does
 * not have the column, or has several of that name.
 *
 * @param shown escapes text of the table for messages.
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
        if (!hasName<ListSourceError>(error, "ListSourceError")) throw error;
        const { found, expected } = error;
        throw new Failure(
          `${nameOf(file)} looks like ${shown(found)}: expected ${shown(expected)}`,
        );
      }
    },
  };
}
