/** What is wrong with a file, a difference or a list; see {@link PrefixListError}. */
export type PrefixListErrorCode =
  /** The bytes are not a file of this package. */
  | "foreign"
  /** The file has another version of the format. */
  | "version-unknown"
  /** The file is a difference where a list was expected, or the reverse. */
  | "kind-wrong"
  /** The bytes end before the file does. */
  | "truncated"
  /** The header does not match its hash. */
  | "header-damaged"
  /** The header matches its hash, but breaks a rule of the format. */
  | "header-invalid"
  /** The sections are damaged, or bytes follow the end of the file. */
  | "body-damaged"
  /** The prefixes do not have the checksum in the header or in the difference. */
  | "checksum-wrong"
  /** There are more entries than `maxEntries`. */
  | "too-many-entries"
  /** The list comes from a version of this package that lays out tables differently. */
  | "layout-unsupported"
  /** The difference was made for another list. */
  | "base-wrong"
  /** The difference makes a list with another name, and `allowRename` is not set. */
  | "name-different"
  /** The difference makes a list with an earlier time, and `allowOlder` is not set. */
  | "created-earlier"
  /** The parts of the difference contradict each other or the list. */
  | "difference-invalid"
  /** The Rice codes break a rule of their format. */
  | "rice-invalid";

const FILE_FORMAT = "@x/prefix-list, File format";
const DIFFERENCES = "@x/prefix-list, applyDifference";
const LIMITS = "@x/prefix-list, Limits";

const PROBLEMS: Readonly<
  Record<PrefixListErrorCode, { readonly expected: string; readonly section: string }>
> = {
  foreign: { expected: "the bytes that every file starts with", section: FILE_FORMAT },
  "version-unknown": { expected: "a version that this package reads", section: FILE_FORMAT },
  "kind-wrong": {
    expected: "a list for decodePrefixList or a difference for decodeDifference",
    section: FILE_FORMAT,
  },
  truncated: { expected: "the rest of the file", section: FILE_FORMAT },
  "header-damaged": { expected: "a header that matches its hash", section: FILE_FORMAT },
  "header-invalid": { expected: "a header that follows the format", section: FILE_FORMAT },
  "body-damaged": {
    expected: "undamaged sections and nothing after them",
    section: FILE_FORMAT,
  },
  "checksum-wrong": { expected: "prefixes that have the given checksum", section: FILE_FORMAT },
  "too-many-entries": { expected: "at most maxEntries entries", section: LIMITS },
  "layout-unsupported": {
    expected: "a list that this version of the package made or read from a file",
    section: "@x/prefix-list, PrefixList",
  },
  "base-wrong": { expected: "the list that the difference was made from", section: DIFFERENCES },
  "name-different": { expected: "the same name as before, or allowRename", section: DIFFERENCES },
  "created-earlier": {
    expected: "the same time or a later one, or allowOlder",
    section: DIFFERENCES,
  },
  "difference-invalid": {
    expected: "removals and additions that are in order, in range and consistent with the lengths",
    section: DIFFERENCES,
  },
  "rice-invalid": {
    expected: "codes that are complete, in range and padded with zeros",
    section: "@x/prefix-list, riceDecode",
  },
};

/**
 * The error for bytes that are not a prefix list, and for differences that cannot be applied.
 *
 * Compare `code`, not the class. Unlike other errors it does not keep the input, which may be gigabytes.
 *
 * @example
 * ```ts
 * import { decodePrefixList } from "@x/prefix-list";
 *
 * decodePrefixList(new TextEncoder().encode("<!doctype html>")); // throws foreign
 * ```
 */
export class PrefixListError extends Error {
  override readonly name = "PrefixListError";
  /** What is wrong, for a program to compare. */
  readonly code: PrefixListErrorCode;
  /** The index of the byte in the file at which the fault was found; `null` if no file is read. */
  readonly index: number | null;
  /** What was expected, in words. */
  readonly expected: string;
  /** The section of this package's README with the rule. */
  readonly section: string;

  /** @param wrong The start of the message, which says what is wrong. */
  constructor(code: PrefixListErrorCode, wrong: string, index: number | null = null) {
    const { expected, section } = PROBLEMS[code];
    const where = index === null ? "" : ` at index ${index}`;
    super(`${wrong}${where}: expected ${expected} (${section}).`);
    this.code = code;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}
