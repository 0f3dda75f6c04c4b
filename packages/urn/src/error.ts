import type { UrnSyntax } from "./options.ts";

/** The kind of problem, for programs to compare. The README explains each code. */
export type UrnErrorCode =
  | "scheme-missing"
  | "nid-empty"
  | "nid-first-character"
  | "nid-character"
  | "nid-last-character"
  | "nid-too-short"
  | "nid-too-long"
  | "nid-reserved"
  | "nss-missing"
  | "nss-empty"
  | "nss-first-character"
  | "nss-character"
  | "escape-malformed"
  | "escape-null"
  | "question-mark"
  | "r-component-empty"
  | "r-component-first-character"
  | "r-component-character"
  | "q-component-empty"
  | "q-component-first-character"
  | "q-component-character"
  | "f-component-character"
  | "record-ambiguous"
  | "name-empty"
  | "name-null"
  | "name-lone-surrogate"
  | "escapes-not-utf8";

const NID_2141 = "RFC 2141 §2.1";
const NSS_2141 = "RFC 2141 §2.2";
const EXCLUDED_2141 = "RFC 2141 §2.4";
const URN_8141 = "RFC 8141 §2";
const NSS_8141 = "RFC 8141 §2.2";
const R_8141 = "RFC 8141 §2.3.1";
const Q_8141 = "RFC 8141 §2.3.2";

/**
 * A description of the expected text, and the section with the rule. The third entry is the section of RFC 8141 when
 * both RFCs have the rule.
 */
const PROBLEMS: Readonly<
  Record<UrnErrorCode, readonly [expected: string, section: string, rfc8141?: string]>
> = {
  "scheme-missing": ['"urn:" at the start', "RFC 2141 §2", URN_8141],
  "nid-empty": ["a namespace identifier", NID_2141, URN_8141],
  "nid-first-character": [
    "an ASCII letter or digit at the start of the namespace identifier",
    NID_2141,
    URN_8141,
  ],
  "nid-character": [
    'only ASCII letters, digits and "-" in the namespace identifier, and a ":" after it',
    NID_2141,
    URN_8141,
  ],
  "nid-last-character": [
    "an ASCII letter or digit at the end of the namespace identifier",
    URN_8141,
  ],
  "nid-too-short": ["a namespace identifier of at least 2 characters", URN_8141],
  "nid-too-long": ["a namespace identifier of at most 32 characters", NID_2141, URN_8141],
  "nid-reserved": ['a namespace identifier other than "urn"', NID_2141],
  "nss-missing": ['":" and a namespace-specific string', "RFC 2141 §2", URN_8141],
  "nss-empty": ["at least one character in the namespace-specific string", NSS_2141, URN_8141],
  "nss-first-character": [
    'a character other than "/" at the start of the namespace-specific string',
    URN_8141,
  ],
  "nss-character": [
    "a character that may be unescaped in a namespace-specific string",
    EXCLUDED_2141,
    NSS_8141,
  ],
  "escape-malformed": ['two hexadecimal digits after "%"', "RFC 2141 §2.3.1", "RFC 3986 §2.1"],
  "escape-null": ['an escape other than "%00"', EXCLUDED_2141],
  "question-mark": ['"+" or "=" after an unescaped "?"', URN_8141],
  "r-component-empty": ['an r-component after "?+"', R_8141],
  "r-component-first-character": [
    'a character other than "/" or "?" at the start of the r-component',
    R_8141,
  ],
  "r-component-character": ["a character that may be unescaped in an r-component", R_8141],
  "q-component-empty": ['a q-component after "?="', Q_8141],
  "q-component-first-character": [
    'a character other than "/" or "?" at the start of the q-component',
    Q_8141,
  ],
  "q-component-character": ["a character that may be unescaped in a q-component", Q_8141],
  "f-component-character": [
    "a character that may be unescaped in an f-component",
    "RFC 8141 §2.3.3",
  ],
  "record-ambiguous": ["parts that stay the same when the URN is parsed", "RFC 2141 §2", URN_8141],
  "name-empty": ["a name of at least one character", NSS_2141, URN_8141],
  "name-null": ["a name without U+0000", EXCLUDED_2141],
  "name-lone-surrogate": ["a name without lone surrogates", NSS_2141, NSS_8141],
  "escapes-not-utf8": ["escapes of well-formed UTF-8", NSS_2141, NSS_8141],
};

const QUOTED_CHARACTERS = 40;

/** The text around an index, in printable ASCII, so that the message stays on one line of a log. */
export function quote(text: string, index: number): string {
  const start = text.length <= QUOTED_CHARACTERS ? 0 : Math.max(0, index - QUOTED_CHARACTERS / 2);
  const end = Math.min(text.length, start + QUOTED_CHARACTERS);
  const quoted = text
    .slice(start, end)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${start > 0 ? "…" : ""}${quoted}${end < text.length ? "…" : ""}"`;
}

/** Why a text is refused, as plain data. A {@link UrnError} has the same properties. */
export interface UrnProblem {
  /** The kind of problem, such as `"nid-too-long"` or `"escape-malformed"`. */
  readonly code: UrnErrorCode;
  /** One sentence that quotes the text around the problem. If RFC 8141 allows the text, a second sentence says so. */
  readonly message: string;
  /** A description of the expected text at `index`, such as `"a namespace identifier of at most 32 characters"`. */
  readonly expected: string;
  /** The index of the problem in the text, in UTF-16 code units. The index is at most the length of the text. */
  readonly index: number;
  /** The section with the rule, such as `"RFC 2141 §2.1"`. */
  readonly section: string;
  /**
   * Present when RFC 2141 refuses the text but RFC 8141 accepts it: the text can be read with `{ syntax: "rfc8141" }`.
   */
  readonly allowedBy?: "rfc8141";
}

/** Describes in words the problem with a text at an index. */
export function describeProblem(
  code: UrnErrorCode,
  input: string,
  index: number,
  syntax: UrnSyntax,
): UrnProblem {
  const [expected, own, rfc8141 = own] = PROBLEMS[code];
  const section = syntax === "rfc8141" ? rfc8141 : own;
  const message = `${quote(input, index)} at index ${index}: expected ${expected} (${section}).`;
  return { code, message, expected, index, section };
}

/** Adds to the description of a problem that RFC 8141 accepts the text. */
export function allowedByRfc8141<Problem extends { readonly message: string }>(
  problem: Problem,
): Problem & { readonly allowedBy: "rfc8141" } {
  const message = `${problem.message} RFC 8141 allows it: use { syntax: "rfc8141" }.`;
  return { ...problem, message, allowedBy: "rfc8141" };
}

/**
 * The error for input that breaks the rules.
 *
 * Compare `code`, not the class: a program may load two versions of the package.
 *
 * @example
 * ```ts
 * import { parseUrn } from "@x/urn";
 *
 * parseUrn("urn:-a:b"); // throws nid-first-character
 * ```
 */
export class UrnError extends Error implements Omit<UrnProblem, "allowedBy"> {
  override readonly name = "UrnError";
  readonly code: UrnErrorCode;
  /** The whole text that was refused. */
  readonly input: string;
  readonly index: number;
  readonly expected: string;
  readonly section: string;
  /**
   * `"rfc8141"` when RFC 2141 refuses the input but RFC 8141 accepts it: the input can be read with
   * `{ syntax: "rfc8141" }`. `null` otherwise.
   */
  readonly allowedBy: "rfc8141" | null;

  constructor(input: string, problem: UrnProblem) {
    super(problem.message);
    this.code = problem.code;
    this.input = input;
    this.index = problem.index;
    this.expected = problem.expected;
    this.section = problem.section;
    this.allowedBy = problem.allowedBy ?? null;
  }
}
