import { printableInShort } from "./printable/printable.ts";

/** Why an input is not a URL, a URI or a URN, as plain data. */
export interface InputProblem {
  /** The kind of problem, for programs to compare, such as `"host-missing"`. */
  readonly code: string;
  /** One sentence for people. It may quote the input, so it may need `printable` before it is shown. */
  readonly message: string;
  /** The expected text, in words. */
  readonly expected: string;
  /**
   * The index in the input at which the problem starts, in UTF-16 code units of text or in bytes; `null` if it is not
   * known.
   */
  readonly index: number | null;
  /**
   * The section of a specification, or the limit, that the input violates; `null` when only this package refuses the
   * input.
   */
  readonly section: string | null;
  /** `"rfc8141"` for a text that RFC 2141 refuses as a URN and RFC 8141 accepts. */
  readonly allowedBy?: "rfc8141";
}

/** The result for a refused input, instead of an explanation. */
export interface Refusal {
  readonly error: InputProblem;
}

/**
 * The refusal of an input that looks like something else, such as a line of a hosts file.
 *
 * @param looksLike the recognized kind of text, as a code and in words.
 * @param expected the expected text, in words, such as `"one URL per line"`.
 * @example
 * ```ts
 * import { foreignRefusal } from "@x/explain";
 *
 * const { error } = foreignRefusal("a b", { code: "blank", found: "words" }, "a URL");
 * error.message; // → '"a b" looks like words: expected a URL'
 * ```
 */
export function foreignRefusal(
  input: string | Uint8Array,
  { code, found }: { readonly code: string; readonly found: string },
  expected: string,
): Refusal {
  const message = `"${printableInShort(input)}" looks like ${found}: expected ${expected}`;
  return { error: { code, message, expected, index: null, section: null } };
}

/** The common properties of `CanonError`, `HashedUriError` and `UrnError`. */
type InputError = Error &
  Omit<InputProblem, "allowedBy"> & { readonly allowedBy?: "rfc8141" | null };

const INPUT_ERRORS: ReadonlySet<string> = new Set(["CanonError", "HashedUriError", "UrnError"]);

/**
 * A `CanonError`, `UrnError` or `HashedUriError` as plain data. Any other error is thrown again.
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
  const { code, message, expected, index, section, allowedBy } = error as InputError;
  const problem = { code, message, expected, index, section };
  return { error: allowedBy ? { ...problem, allowedBy } : problem };
}
