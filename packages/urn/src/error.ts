import type { UrnSyntax } from "./syntax.ts";

const ESCAPES_2141 = "RFC 2141 §2.3.1";
const URN_8141 = "RFC 8141 §2";

/** What was wrong, in a word that programs can compare. */
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
  | "octets-not-utf8";

/** What was expected, and the section that says so under RFC 2141 and under RFC 8141. */
const PROBLEMS: Readonly<
  Record<UrnErrorCode, readonly [expected: string, rfc2141: string, rfc8141: string]>
> = {
  "scheme-missing": ['"urn:" at the start', "RFC 2141 §2", URN_8141],
  "nid-empty": ["a namespace identifier", "RFC 2141 §2.1", URN_8141],
  "nid-first-character": [
    "the namespace identifier to start with an ASCII letter or digit",
    "RFC 2141 §2.1",
    URN_8141,
  ],
  "nid-character": [
    'only ASCII letters, digits and "-" in the namespace identifier, and a ":" after it',
    "RFC 2141 §2.1",
    URN_8141,
  ],
  "nid-last-character": [
    "the namespace identifier to end with an ASCII letter or digit",
    "RFC 2141 §2.1",
    URN_8141,
  ],
  "nid-too-short": ["a namespace identifier of at least 2 characters", "RFC 2141 §2.1", URN_8141],
  "nid-too-long": ["a namespace identifier of at most 32 characters", "RFC 2141 §2.1", URN_8141],
  "nid-reserved": ['a namespace identifier other than "urn"', "RFC 2141 §2.1", URN_8141],
  "nss-missing": ['":" and a namespace-specific string', "RFC 2141 §2", URN_8141],
  "nss-empty": [
    "at least one character in the namespace-specific string",
    "RFC 2141 §2.2",
    URN_8141,
  ],
  "nss-first-character": [
    'the namespace-specific string to start with another character than "/"',
    "RFC 2141 §2.2",
    URN_8141,
  ],
  "nss-character": [
    "a character that a namespace-specific string may hold unescaped",
    "RFC 2141 §2.4",
    "RFC 8141 §2.2",
  ],
  "escape-malformed": ['two hexadecimal digits after "%"', ESCAPES_2141, "RFC 3986 §2.1"],
  "escape-null": ["no octet 0, not even escaped", "RFC 2141 §2.4", URN_8141],
  "question-mark": ['"+" or "=" after an unescaped "?"', "RFC 2141 §2.3.2", URN_8141],
  "r-component-empty": ['an r-component after "?+"', "RFC 2141 §2", "RFC 8141 §2.3.1"],
  "r-component-first-character": [
    'the r-component to start with another character than "/" or "?"',
    "RFC 2141 §2",
    "RFC 8141 §2.3.1",
  ],
  "r-component-character": [
    "a character that an r-component may hold unescaped",
    "RFC 2141 §2",
    "RFC 8141 §2.3.1",
  ],
  "q-component-empty": ['a q-component after "?="', "RFC 2141 §2", "RFC 8141 §2.3.2"],
  "q-component-first-character": [
    'the q-component to start with another character than "/" or "?"',
    "RFC 2141 §2",
    "RFC 8141 §2.3.2",
  ],
  "q-component-character": [
    "a character that a q-component may hold unescaped",
    "RFC 2141 §2",
    "RFC 8141 §2.3.2",
  ],
  "f-component-character": [
    "a character that an f-component may hold unescaped",
    "RFC 2141 §2",
    "RFC 8141 §2.3.3",
  ],
  "record-ambiguous": [
    "parts that read back as they are when the URN is parsed again",
    "RFC 2141 §2",
    URN_8141,
  ],
  "name-empty": ["a name of at least one character", "RFC 2141 §2.2", URN_8141],
  "name-null": ["a name without U+0000", "RFC 2141 §2.4", URN_8141],
  "name-lone-surrogate": [
    "a name without lone surrogates, which have no UTF-8",
    "RFC 2141 §2.2",
    "RFC 8141 §2.2",
  ],
  "octets-not-utf8": ["escapes that are well-formed UTF-8", "RFC 2141 §2.2", "RFC 8141 §2.2"],
};

const QUOTED_CHARACTERS = 40;

/** The text around the place, in ASCII without control characters, so that a log line stays one line. */
function quote(text: string, index: number): string {
  const start = text.length <= QUOTED_CHARACTERS ? 0 : Math.max(0, index - QUOTED_CHARACTERS / 2);
  const end = Math.min(text.length, start + QUOTED_CHARACTERS);
  let quoted = "";
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    quoted +=
      unit < 0x20 || unit > 0x7e ? `\\u${unit.toString(16).padStart(4, "0")}` : text.charAt(i);
  }
  return `"${start > 0 ? "…" : ""}${quoted}${end < text.length ? "…" : ""}"`;
}

/**
 * The one error that text which breaks the rules raises.
 *
 * Compare `code`, not the class: two versions of the package may meet in one program.
 *
 * @example
 * ```ts
 * import { parseUrn } from "@x/urn";
 *
 * parseUrn("urn:-a:b"); // throws nid-first-character
 * ```
 */
export class UrnError extends Error {
  override readonly name = "UrnError";
  /** What was wrong: `"nid-too-long"`, `"escape-malformed"`, … */
  readonly code: UrnErrorCode;
  /** The whole text that was refused. */
  readonly input: string;
  /** Where in `input` it went wrong: a UTF-16 offset, at most `input.length`. */
  readonly index: number;
  /** The section that is broken: `"RFC 2141 §2.1"`. */
  readonly section: string;

  constructor(code: UrnErrorCode, input: string, index: number, syntax: UrnSyntax) {
    const [expected, rfc2141, rfc8141] = PROBLEMS[code];
    super(`Expected ${expected}, at index ${index} of ${quote(input, index)}`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.section = syntax === "rfc2141" ? rfc2141 : rfc8141;
  }
}
