/** The reasons why a source cannot be read at all. The README explains each code. */
export type ListSourceErrorCode =
  | "utf-16"
  | "compressed"
  | "document"
  | "binary"
  | "html"
  | "json-document"
  | "foreign-format"
  | "carriage-returns"
  | "difference-file"
  | "list-unreadable"
  | "list-too-large"
  | "format-unknown"
  | "hash-unclear"
  | "column-missing"
  | "column-ambiguous"
  | "rows-unclear";

/**
 * The error thrown for a source that cannot be read at all. A single bad line is refused instead.
 *
 * Compare `code`, not the class.
 *
 * @example
 * ```ts
 * import { readListSource } from "@x/list-source";
 *
 * const page = new TextEncoder().encode("<!doctype html><title>Not found</title>");
 * const reading = readListSource([page], { onEntry: () => {} });
 * (await reading.catch((error) => error)).code; // → "html"
 * ```
 */
export class ListSourceError extends Error {
  override readonly name = "ListSourceError";
  /** The reason for the error, for programs to compare. */
  readonly code: ListSourceErrorCode;
  /** What the source looks like, in words. */
  readonly found: string;
  /** What was expected, in words. */
  readonly expected: string;

  constructor(code: ListSourceErrorCode, found: string, expected: string, cause?: unknown) {
    super(`This looks like ${found}: expected ${expected}.`, cause === undefined ? {} : { cause });
    this.code = code;
    this.found = found;
    this.expected = expected;
  }
}
