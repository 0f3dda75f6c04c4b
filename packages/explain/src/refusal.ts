import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { printableInShort } from "./printable/printable.ts";

/** Why an input is not a URL, a URI or a URN, as plain data. */
export interface InputProblem {
  /** The kind of problem, for programs to compare: `"host-missing"`. */
  readonly code: string;
  /** One sentence for people. It quotes the input and may need `printable` before it is shown. */
  readonly message: string;
  /** What was expected, in words. */
  readonly expected: string;
  /** Where in the input the problem starts (in UTF-16 code units of a text, or in bytes), if known. */
  readonly index: number | null;
  /** The section of the specification that asks for it; `null` for a limit of this package. */
  readonly section: string | null;
}

/** Stands in place of an explanation when the input is refused. */
export interface Refusal {
  readonly error: InputProblem;
}

/** What the errors of the packages below have in common. */
type InputError = Error & InputProblem;

const INPUT_ERRORS: ReadonlySet<string> = new Set(["CanonError", "HashedUriError", "UrnError"]);

/**
 * A `CanonError`, `UrnError` or `HashedUriError` as plain data. Anything else that was thrown is thrown again.
 *
 * @example
 * ```ts
 * import { refusalOf } from "@x/explain";
 * import { parseUrn } from "@x/urn";
 *
 * let problem;
 * try {
 *   parseUrn("urn:foo:a%4g");
 * } catch (error) {
 *   problem = refusalOf(error).error;
 * }
 * [problem?.code, problem?.index]; // → ["escape-malformed", 9]
 * ```
 */
export function refusalOf(error: unknown): Refusal {
  if (!INPUT_ERRORS.has((error as Error).name)) throw error;
  const { code, message, expected, index, section } = error as InputError;
  return { error: { code, message, expected, index, section } };
}

/** How much is quoted of a line that is too long. */
const QUOTED_BYTES = 256;

/**
 * The refusal of a line that is longer than `MAX_LINE_BYTES` of `@x/lookup/lines`; `null` when it is not.
 *
 * @example
 * ```ts
 * import { tooLongLine } from "@x/explain";
 *
 * tooLongLine(new Uint8Array(1000)); // → null
 * tooLongLine(new Uint8Array(3_000_000))?.error.code; // → "line-too-long"
 * ```
 */
export function tooLongLine(line: Uint8Array): Refusal | null {
  if (line.length <= MAX_LINE_BYTES) return null;
  const expected = `at most ${MAX_LINE_BYTES} bytes`;
  const message = `"${printableInShort(beginningOf(line))}…" is longer than ${MAX_LINE_BYTES} bytes`;
  return { error: { code: "line-too-long", message, expected, index: null, section: null } };
}

/** The beginning of a line that is too long to be shown. */
export function beginningOf(line: Uint8Array): Uint8Array {
  return line.subarray(0, QUOTED_BYTES);
}
