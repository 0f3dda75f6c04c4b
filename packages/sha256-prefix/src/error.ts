/**
 * Why a text was refused:
 *
 * - `"lone-surrogate"`: half of a surrogate pair, which no UTF-8 can stand for (RFC 3629 §3);
 * - `"hex-length-odd"`: an odd number of hexadecimal digits, so the last octet is incomplete;
 * - `"hex-digit-invalid"`: a character that is no hexadecimal digit.
 */
export type Sha256PrefixErrorCode = "lone-surrogate" | "hex-length-odd" | "hex-digit-invalid";

const QUOTED_CHARACTERS = 60;

/** The input as a JSON string, with the middle left out of a long one, around the place `index`. */
function quote(input: string, index: number): string {
  if (input.length <= QUOTED_CHARACTERS) return JSON.stringify(input);
  const start = Math.max(0, Math.min(index - QUOTED_CHARACTERS / 2, input.length));
  const end = Math.min(start + QUOTED_CHARACTERS, input.length);
  const shown = JSON.stringify(input.slice(start, end));
  return `${start > 0 ? "…" : ""}${shown}${end < input.length ? "…" : ""}`;
}

/**
 * The error for a text that this package cannot read: compare its `code`, not its class.
 *
 * Arguments of a wrong type are a `TypeError`, and numbers out of range a `RangeError`, instead.
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
  /** What is wrong, for programs. */
  readonly code: Sha256PrefixErrorCode;
  /** The whole text that was given. */
  readonly input: string;
  /** The place of the offending character, in UTF-16 code units from the start of `input`. */
  readonly index: number;
  /** The section of the text that is not met. */
  readonly section: string;

  constructor(
    code: Sha256PrefixErrorCode,
    input: string,
    index: number,
    section: string,
    expectation: string,
  ) {
    super(`${expectation}, but at index ${index} of ${quote(input, index)} there is none`);
    this.code = code;
    this.input = input;
    this.index = index;
    this.section = section;
  }
}
