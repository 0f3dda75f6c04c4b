import { quote } from "./quote.ts";

/** The kind of problem with the text. The README explains each code. */
export type Sha256PrefixErrorCode = "lone-surrogate" | "hex-length-odd" | "hex-digit-invalid";

const PROBLEMS: Readonly<
  Record<Sha256PrefixErrorCode, { readonly expected: string; readonly section: string }>
> = {
  "lone-surrogate": {
    expected: "the other half of a surrogate pair",
    section: "RFC 3629 §3",
  },
  "hex-length-odd": {
    expected: "a second hexadecimal digit for the last byte",
    section: "RFC 4648 §8",
  },
  "hex-digit-invalid": {
    expected: "a hexadecimal digit (0-9, a-f, A-F)",
    section: "RFC 4648 §8",
  },
};

/**
 * The error thrown for text that this package cannot read. Compare its `code`, not its class.
 *
 * Arguments of the wrong type throw a `TypeError` instead, and numbers out of range a `RangeError`.
 *
 * @example
 * ```ts
 * import { fromHex } from "@x/sha256-prefix";
 *
 * fromHex("ba7816b"); // throws hex-length-odd
 * fromHex("0xba78"); // throws hex-digit-invalid
 * ```
 */
export class Sha256PrefixError extends Error {
  override readonly name = "Sha256PrefixError";
  /** The kind of problem, for programs to compare. */
  readonly code: Sha256PrefixErrorCode;
  /** The whole text that was passed in. */
  readonly input: string;
  /** The index in `input` of the offending character, in UTF-16 code units. */
  readonly index: number;
  /** A description of the expected text at `index`. */
  readonly expected: string;
  /** The section of the specification that has the rule. */
  readonly section: string;

  constructor(code: Sha256PrefixErrorCode, input: string, index: number) {
    const { expected, section } = PROBLEMS[code];
    super(`${quote(input, index)} at index ${index}: expected ${expected} (${section}).`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.expected = expected;
    this.section = section;
  }
}
