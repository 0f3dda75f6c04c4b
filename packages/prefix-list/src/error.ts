/**
 * The codes of errors, each with a description of the expected input, grouped by the README section that explains them.
 */
const EXPECTED = {
  "@x/prefix-list, File format": {
    foreign: "the bytes that every file starts with",
    "version-unknown": "a version that this package reads",
    "kind-wrong": "a list for decodePrefixList or a difference for decodeDifference",
    truncated: "the rest of the file",
    "header-damaged": "a header that matches its hash",
    "header-invalid": "a header that follows the format",
    "body-damaged": "undamaged sections and nothing after them",
    "checksum-wrong": "prefixes that have the given checksum",
  },
  "@x/prefix-list, Limits": { "too-many-entries": "at most maxEntries entries" },
  "@x/prefix-list, PrefixList": {
    "layout-unsupported": "a list that this version of the package made or read from a file",
  },
  "@x/prefix-list, applyDifference": {
    "base-wrong": "the list that the difference was made from",
    "name-different": "the same name as before, or allowRename",
    "created-earlier": "the same time or a later one, or allowOlder",
    "difference-invalid":
      "removals and additions that are in order, in range and consistent with the lengths",
  },
  "@x/prefix-list, riceDecode": {
    "rice-invalid": "codes that are complete, in range and padded with zeros",
  },
} as const;

type Codes<Section> = Section extends unknown ? keyof Section : never;

/**
 * The kind of problem with a file, a difference, a list or Rice codes, for programs to compare. The README explains
 * each code.
 */
export type PrefixListErrorCode = Codes<(typeof EXPECTED)[keyof typeof EXPECTED]>;

const PROBLEMS: ReadonlyMap<string, readonly [section: string, expected: string]> = new Map(
  Object.entries(EXPECTED).flatMap(([section, problems]) =>
    Object.entries(problems).map(([code, expected]) => [code, [section, expected]]),
  ),
);

/**
 * The error for files, differences and Rice codes that are not valid, for differences that do not fit a list, for lists
 * with another layout, and for too many entries.
 *
 * Compare `code`, not the class. The error does not keep the input, which may be gigabytes long.
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
  /** The kind of problem, for programs to compare. */
  readonly code: PrefixListErrorCode;
  /**
   * The index of the byte at which the fault was found, in the file or the Rice codes, or `null` if there is no such
   * byte.
   */
  readonly index: number | null;
  /** A description of the expected input. */
  readonly expected: string;
  /** The section of this package's README that explains the problem. */
  readonly section: string;

  /** @param wrong The start of the message, which describes the fault. */
  constructor(code: PrefixListErrorCode, wrong: string, index: number | null = null) {
    const [section, expected] = PROBLEMS.get(code)!;
    const where = index === null ? "" : ` at index ${index}`;
    super(`${wrong}${where}: expected ${expected} (${section}).`);
    this.code = code;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}
