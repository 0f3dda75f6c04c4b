/** What is wrong with a file or a difference; see {@link PrefixListError}. */
export type PrefixListErrorCode =
  | "foreign"
  | "version-unknown"
  | "kind-wrong"
  | "truncated"
  | "header-damaged"
  | "header-invalid"
  | "body-damaged"
  | "checksum-wrong"
  | "base-wrong"
  | "difference-invalid";

/**
 * The one error for octets that are no prefix list, and for differences that do not apply.
 *
 * `code` says what is wrong:
 *
 * - `foreign`: the octets are not a file of this package at all.
 * - `version-unknown`: a file of another version of the format.
 * - `kind-wrong`: a difference where a list was expected, or the reverse.
 * - `truncated`: the octets end before the file does.
 * - `header-damaged`: the header is not the one that was written.
 * - `header-invalid`: the header is as it was written, but says what no header may say.
 * - `body-damaged`: the codes are not those that were written, or octets follow the end.
 * - `checksum-wrong`: the prefixes do not have the SHA-256 that the header or the difference names.
 * - `base-wrong`: the difference was made against another list than this one.
 * - `difference-invalid`: removals or additions out of order or out of range, or checksums that are none.
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

  constructor(code: PrefixListErrorCode, message: string, index: number | null = null) {
    super(index === null ? message : `${message} (at octet ${index})`);
    this.code = code;
    this.index = index;
  }
}
