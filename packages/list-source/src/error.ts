/** The reasons why a source cannot be read at all, each with what is expected if that is always the same. */
const EXPECTED = {
  "utf-16": "text in UTF-8 (convert it first, for example with iconv)",
  compressed: "text (unpack it first)",
  document: "text",
  binary: "text in UTF-8",
  html: "a list, not a page",
  "json-document": "a whole document",
  "foreign-format": "a list that only says what is blocked",
  "carriage-returns": "lines that end in LF or CRLF (convert them first)",
  "difference-file": "a list (apply the difference to its list first)",
  "list-unreadable": "a complete, undamaged list of a supported version",
  "list-too-large": "a smaller list, or a higher limit",
  "format-unknown": "the URLs themselves",
  "hash-unclear": "URLs or hosts",
  "column-missing": "URLs or hosts in a column, or as values",
  "column-ambiguous": "the name of one of them",
  "rows-unclear": 'a condition on the rows, or "all"',
};

/** The reasons why a source cannot be read at all. The README explains each code. */
export type ListSourceErrorCode = keyof typeof EXPECTED;

/** The `found` of a `ListSourceError` for a source of defanged URLs, which can be read with the option `refang`. */
export const DEFANGED_URLS: string = "defanged URLs";

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

  constructor(
    code: ListSourceErrorCode,
    found: string,
    expected: string = EXPECTED[code],
    cause?: unknown,
  ) {
    super(`This looks like ${found}: expected ${expected}.`, cause === undefined ? {} : { cause });
    this.code = code;
    this.found = found;
    this.expected = expected;
  }
}
