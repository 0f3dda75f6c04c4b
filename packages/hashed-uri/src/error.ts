import { quote } from "@x/sha256-prefix/quote";

/** The kind of problem with the text. The README explains each code. */
export type HashedUriErrorCode = OwnCode | CanonCode;

/** The kinds of problem with the text of a hashed URI. */
export type SyntaxCode =
  | "scheme-not-hashed"
  | "hash-algorithm-invalid"
  | "hash-value-invalid"
  | "flag-invalid";

/** The kinds of problem with a line of a list. */
export type ListLineCode =
  | SyntaxCode
  | "list-field-unknown"
  | "list-field-invalid"
  | "list-field-conflicting";

type OwnCode =
  | ListLineCode
  | "algorithm-not-allowed"
  | "algorithm-unknown"
  | "lone-surrogate"
  | "urn-invalid";

/** Codes of `@x/canon` for text that is not a URI. Newer versions of that package may have more codes. */
type CanonCode =
  | "too-long"
  | "base-missing"
  | "base-relative"
  | "base-opaque"
  | "scheme-invalid"
  | "character-excluded";

/** A description of the expected text, and the section with the rule. */
interface Expectation {
  readonly expected: string;
  readonly section: string;
}

const DRAFT = "draft-feather-hashed-uri-03";
const LISTS = "@x/hashed-uri, lists";

const EXPECTATIONS: Readonly<Record<OwnCode, Expectation>> = {
  "scheme-not-hashed": { expected: 'text that begins with "hashed:"', section: `${DRAFT} §4.1` },
  "hash-algorithm-invalid": {
    expected: 'a hash algorithm (letters, digits, "." and "-") and "="',
    section: `${DRAFT} §4.1`,
  },
  "hash-value-invalid": { expected: "hexadecimal digits", section: `${DRAFT} §4.1` },
  "flag-invalid": { expected: '"+frag", "+query" or the end', section: `${DRAFT} §4.1` },
  "algorithm-not-allowed": {
    expected: '"sha1", "md5" or an algorithm for private use, "x-…"',
    section: `${DRAFT} §4.2`,
  },
  "algorithm-unknown": {
    expected: 'an algorithm that is built in or given as an option ("algorithms")',
    section: `${DRAFT} §4.2`,
  },
  "lone-surrogate": {
    expected: "Unicode text, without half of a surrogate pair",
    section: "RFC 3629 §3",
  },
  "urn-invalid": { expected: '"urn:", a namespace, ":" and a name', section: "RFC 2141 §2" },
  "list-field-unknown": {
    expected: '"variant", "base", "algorithm", "created" or "count", ":" and a space',
    section: LISTS,
  },
  "list-field-invalid": {
    expected: "a variant (N or P), a base, an algorithm, a time in UTC or a count",
    section: LISTS,
  },
  "list-field-conflicting": {
    expected: "the same value as in an earlier line of the list",
    section: LISTS,
  },
};

function messageOf(
  input: string,
  index: number | null,
  { expected, section }: Expectation,
): string {
  const place = index === null ? "" : ` at index ${index}`;
  return `${quote(input, index ?? 0)}${place}: expected ${expected} (${section}).`;
}

/** A problem with a line of a list, in words. */
export interface ListLineProblem extends Expectation {
  readonly code: ListLineCode;
  readonly message: string;
  readonly index: number | null;
}

/**
 * Describes why a line of a list was refused, as plain data. A {@link HashedUriError} has the same
 * properties.
 *
 * @example
 * ```ts
 * import { describeProblem, parseHashedUriListLine } from "@x/hashed-uri";
 *
 * const line = "http://www.thus.net";
 * const read = parseHashedUriListLine(line);
 * read.kind === "refused" && describeProblem(line, read).expected; // → 'text that begins with "hashed:"'
 * ```
 */
export function describeProblem(
  line: string,
  { code, index }: Pick<ListLineProblem, "code" | "index">,
): ListLineProblem {
  const { expected, section } = EXPECTATIONS[code];
  const message = messageOf(line, index, EXPECTATIONS[code]);
  return { code, message, expected, index, section };
}

/**
 * The error thrown for text that cannot be used, for example because it is not a hashed URI, or because no
 * hashed URI can be made from it.
 *
 * Compare `code` rather than the class: two versions of the package may meet in one program.
 */
export class HashedUriError extends Error implements Expectation {
  override readonly name = "HashedUriError";
  readonly code: HashedUriErrorCode;
  /** The whole text that was refused, such as the hashed URI, the URI, its base or the algorithm. */
  readonly input: string;
  /** Where the problem starts in `input`, in UTF-16 code units, or null when the problem has no index. */
  readonly index: number | null;
  readonly expected: string;
  readonly section: string;

  constructor(code: OwnCode, input: string, index: number | null);
  /** @param found the description and the section, for problems that `@x/canon` reports. */
  constructor(code: string, input: string, index: number | null, found: Expectation);
  constructor(
    code: string,
    input: string,
    index: number | null,
    found: Expectation = EXPECTATIONS[code as OwnCode],
  ) {
    const { expected, section } = found;
    super(messageOf(input, index, found));
    this.code = code as HashedUriErrorCode;
    this.input = input;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}
