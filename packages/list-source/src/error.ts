/** Why a source cannot be read at all; see {@link ListSourceError}. */
export type ListSourceErrorCode =
  /** UTF-16 or UTF-32 text. */
  | "utf-16"
  /** Gzip, ZIP, and other compressed files and archives. */
  | "compressed"
  /** An image, a PDF or another document that is not text. */
  | "document"
  /** Bytes that are not text. */
  | "binary"
  /** HTML or XML. */
  | "html"
  /** One JSON document instead of one object per line. */
  | "json-document"
  /** Lines that end in CR alone. */
  | "carriage-returns"
  /** A difference between two prefix lists. */
  | "difference-file"
  /** A prefix list that is damaged, has too many entries, or is of another version; `cause` says which. */
  | "list-unreadable"
  /** A prefix list of more than `maxListBytes`. */
  | "list-too-large"
  /** Text in no known format, or text that fits several. */
  | "format-unknown"
  /** A table without a header that names the column. */
  | "column-missing";

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
  /** What is wrong, for programs to compare. */
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
