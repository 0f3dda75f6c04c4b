/** What is wrong with a file or a difference; see {@link PrefixListError}. */
export type PrefixListErrorCode =
  /** The octets are not a file of this package at all. */
  | "foreign"
  /** A file of another version of the format. */
  | "version-unknown"
  /** A difference where a list was expected, or the reverse. */
  | "kind-wrong"
  /** The octets end before the file does. */
  | "truncated"
  /** The header is not the one that was written. */
  | "header-damaged"
  /** The header is as it was written, but says what no header may say. */
  | "header-invalid"
  /** The codes are not those that were written, or octets follow the end. */
  | "body-damaged"
  /** The prefixes do not have the SHA-256 that the header or the difference names. */
  | "checksum-wrong"
  /** The difference was made against another list than this one. */
  | "base-wrong"
  /** Removals or additions out of order or out of range, or checksums that are none. */
  | "difference-invalid";

const FILE_FORMAT = "@x/prefix-list, File format";
const DIFFERENCES = "@x/prefix-list, applyDifference";

const PROBLEMS: Readonly<
  Record<PrefixListErrorCode, { readonly expected: string; readonly section: string }>
> = {
  foreign: { expected: "the octets that every file starts with", section: FILE_FORMAT },
  "version-unknown": { expected: "a version that is read here", section: FILE_FORMAT },
  "kind-wrong": {
    expected: "a list for decodePrefixList, a difference for decodeDifference",
    section: FILE_FORMAT,
  },
  truncated: { expected: "the rest of the file", section: FILE_FORMAT },
  "header-damaged": { expected: "the header that was written", section: FILE_FORMAT },
  "header-invalid": { expected: "a header of the format", section: FILE_FORMAT },
  "body-damaged": {
    expected: "the sections that were written, and nothing behind them",
    section: FILE_FORMAT,
  },
  "checksum-wrong": { expected: "prefixes with the SHA-256 that is named", section: FILE_FORMAT },
  "base-wrong": { expected: "the list that the difference was made from", section: DIFFERENCES },
  "difference-invalid": {
    expected: "removals and additions in order and in range, and checksums of 64 digits",
    section: DIFFERENCES,
  },
};

/**
 * The one error for octets that are no prefix list, and for differences that do not apply.
 *
 * Compare `code`, not the class. Unlike other errors it does not keep what was given, which may be gigabytes.
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
  /** The octet of the file at which it was noticed; `null` where no file is read. */
  readonly index: number | null;
  /** What was expected, in words. */
  readonly expected: string;
  /** The section of this package's README that asks for it. */
  readonly section: string;

  /** @param wrong what is wrong, as the start of a sentence. */
  constructor(code: PrefixListErrorCode, wrong: string, index: number | null = null) {
    const { expected, section } = PROBLEMS[code];
    const place = index === null ? "" : ` at index ${index}`;
    super(`${wrong}${place}: expected ${expected} (${section}).`);
    this.code = code;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}
