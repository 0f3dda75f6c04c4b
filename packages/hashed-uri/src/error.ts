import { MAX_URL_LENGTH } from "@x/canon";

/** What was wrong with the text; see {@link HashedUriError.code}. */
export type HashedUriErrorCode =
  /** No hashed URI: the text does not begin with `hashed:`. */
  | "scheme-not-hashed"
  /** No letters, digits, `.` or `-` up to a `=`. */
  | "hash-algorithm-invalid"
  /** No hexadecimal digits behind the `=`. */
  | "hash-value-invalid"
  /** Something other than `+frag` and `+query` behind the digits. */
  | "flag-invalid"
  /** A hashed URI may only use registered identifiers and those that begin with `x-`. */
  | "algorithm-not-allowed"
  /** A private `x-…` algorithm that nobody passed as an option. */
  | "algorithm-unknown"
  /** More than 2²⁴ UTF-16 code units, the `MAX_URL_LENGTH` of `@x/canon`; of the URI or of its base. */
  | "too-long"
  /** A relative URI, and no base to resolve it against. */
  | "base-missing"
  /** A base that is itself relative. */
  | "base-relative"
  /** A base without a hierarchy, such as `mailto:a@b`. */
  | "base-opaque"
  /** A colon behind what cannot be a scheme. */
  | "scheme-invalid"
  /** A control, space, `"`, `<` or `>`, which no URI holds. */
  | "character-excluded"
  /** Half of a surrogate pair, which has no UTF-8 form to hash. */
  | "lone-surrogate"
  /** The scheme is `urn`, but neither RFC 2141 nor RFC 8141 knows such a URN. */
  | "urn-invalid"
  /** No `ni` URI by RFC 6920. */
  | "ni-invalid"
  /** An `ni` URI of another algorithm than `sha-256`, truncated ones included. */
  | "ni-algorithm-unsupported"
  /** A hashed URI that no `ni` URI can stand for. */
  | "ni-not-nameable";

const DRAFT = "draft-feather-hashed-uri-03";

const EXPLANATIONS: Record<HashedUriErrorCode, { section: string; expected: string }> = {
  "scheme-not-hashed": {
    section: `${DRAFT} §4.1`,
    expected: 'expected a text that begins "hashed:"',
  },
  "hash-algorithm-invalid": {
    section: `${DRAFT} §4.1`,
    expected: 'expected a hash algorithm (letters, digits, "." and "-") and "="',
  },
  "hash-value-invalid": { section: `${DRAFT} §4.1`, expected: "expected hexadecimal digits" },
  "flag-invalid": { section: `${DRAFT} §4.1`, expected: 'expected "+frag", "+query" or the end' },
  "algorithm-not-allowed": {
    section: `${DRAFT} §4.2`,
    expected: 'expected "sha1", "md5" or an algorithm for private use, "x-…"',
  },
  "algorithm-unknown": {
    section: `${DRAFT} §4.2`,
    expected: 'expected an algorithm that is built in or given as an option ("algorithms")',
  },
  "too-long": {
    section: "@x/canon, MAX_URL_LENGTH",
    expected: `expected at most ${MAX_URL_LENGTH} UTF-16 code units`,
  },
  "base-missing": { section: "RFC 2396 §5", expected: "expected an absolute URI, or a base" },
  "base-relative": { section: "RFC 2396 §5.1", expected: "expected an absolute URI as base" },
  "base-opaque": { section: "RFC 2396 §5", expected: "expected a hierarchical URI as base" },
  "scheme-invalid": {
    section: "RFC 2396 §3.1",
    expected: "expected a scheme, or no colon before the first slash",
  },
  "character-excluded": {
    section: "RFC 2396 §2.4.3",
    expected: 'expected no control, space, "<", ">" or quotation mark (escape it, or cut it off)',
  },
  "lone-surrogate": { section: "RFC 3629 §3", expected: "expected Unicode text" },
  "urn-invalid": {
    section: "RFC 2141 §2",
    expected: 'expected "urn:", a namespace, ":" and a name',
  },
  "ni-invalid": {
    section: "RFC 6920 §3",
    expected: 'expected "ni://authority/sha-256;" and 43 characters of base64url',
  },
  "ni-algorithm-unsupported": {
    section: "RFC 6920 §9.4",
    expected: 'expected the algorithm "sha-256", not truncated',
  },
  "ni-not-nameable": {
    section: "RFC 6920 §3",
    expected: 'expected the algorithm "x-sha256", 64 hexadecimal digits and no flags',
  },
};

/**
 * The one error for text that is no hashed URI, or that no hashed URI can be made of.
 *
 * Compare `code`, which survives two versions of the package in one program, rather than the class.
 */
export class HashedUriError extends Error {
  override readonly name = "HashedUriError";
  readonly code: HashedUriErrorCode;
  /** The text that was refused, whole: the hashed URI, the URI, its base or the algorithm. */
  readonly input: string;
  /** Where in `input` the trouble starts, in UTF-16 code units; null where that means nothing. */
  readonly index: number | null;
  /** The section that asks for what is missing. */
  readonly section: string;

  constructor(code: HashedUriErrorCode, input: string, index: number | null) {
    const { section, expected } = EXPLANATIONS[code];
    const where = index === null ? "" : ` at index ${index}`;
    super(`${quote(input)}: ${expected}${where} (${section}).`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.section = section;
  }
}

const LONGEST_QUOTE = 60;

/** The input for a message: on one line, printable, not longer than is useful. */
function quote(input: string): string {
  const printable = input
    .slice(0, LONGEST_QUOTE)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
  return `"${printable}${input.length > LONGEST_QUOTE ? "…" : ""}"`;
}
