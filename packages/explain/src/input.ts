import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { toHex } from "@x/sha256-prefix";
import { decodeUtf8, printableInShort } from "./printable.ts";

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

/** The refusal of an input that looks like something else, such as a line of a hosts file. */
export function foreignRefusal(
  input: string | Uint8Array,
  { code, found }: { readonly code: string; readonly found: string },
  expected: string,
): Refusal {
  return refusal(
    code,
    `"${printableInShort(input)}" looks like ${found}: expected ${expected}`,
    expected,
  );
}

/** The common properties of `CanonError`, `HashedUriError` and `UrnError`. */
type InputError = Error &
  Omit<InputProblem, "allowedBy"> & { readonly allowedBy?: "rfc8141" | null };

const INPUT_ERRORS: ReadonlySet<string> = new Set(["CanonError", "HashedUriError", "UrnError"]);

/** A `CanonError`, `UrnError` or `HashedUriError` as plain data. Any other error is thrown again. */
export function refusalOf(error: unknown): Refusal {
  if (!INPUT_ERRORS.has((error as Error).name)) throw error;
  const { code, message, expected, index, section, allowedBy } = error as InputError;
  const problem = { code, message, expected, index, section };
  return { error: allowedBy ? { ...problem, allowedBy } : problem };
}

/** The number of bytes of an overlong line that are quoted and kept in its record. */
const BEGINNING_BYTES = 256;

/** Returns the refusal of a line that is longer than `MAX_LINE_BYTES` of `@x/lookup/lines`; otherwise `null`. */
export function tooLongLine(line: Uint8Array): Refusal | null {
  if (line.length <= MAX_LINE_BYTES) return null;
  const beginning = printableInShort(line.subarray(0, BEGINNING_BYTES));
  return refusal(
    "line-too-long",
    `"${beginning}…" is longer than ${MAX_LINE_BYTES} bytes`,
    `at most ${MAX_LINE_BYTES} bytes`,
  );
}

/**
 * Returns the text of an input, which is a string or the bytes of a line. The result is a {@link Refusal} for bytes
 * that are not UTF-8, and for a line that is too long.
 */
export function inputText(input: string | Uint8Array): string | Refusal {
  if (typeof input === "string") return input;
  return (
    tooLongLine(input) ??
    decodeUtf8(input) ??
    refusal("not-utf8", `"${printableInShort(input)}" is not UTF-8`, "UTF-8")
  );
}

/**
 * Returns the result of `read` for the text of an input. The result is a refusal if there is no text, or if `read`
 * throws an error about the input.
 */
export function readText<Result>(
  input: string | Uint8Array,
  read: (text: string) => Result | Refusal,
): Result | Refusal {
  const text = inputText(input);
  if (typeof text !== "string") return text;
  try {
    return read(text);
  } catch (error) {
    return refusalOf(error);
  }
}

function refusal(code: string, message: string, expected: string): Refusal {
  return { error: { code, message, expected, index: null, section: null } };
}

/** An input as it is stored in a record. */
export type InputRecord<Member extends string> = {
  /** The text of the input. If the input is not UTF-8, U+FFFD replaces bytes that cannot be decoded. */
  readonly [M in Member]: string;
} & {
  /** The bytes of an input that is not UTF-8, in hexadecimal. */
  readonly bytes?: string;
};

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns an input as it is stored in a record: `member` is its text, and `bytes` has the bytes of an input that is not
 * UTF-8. If a line is too long, the record has only the beginning of the line.
 */
export function inputRecord<Member extends string>(
  input: string | Uint8Array,
  member: Member,
): InputRecord<Member> {
  if (typeof input === "string") return { [member]: input } as InputRecord<Member>;
  const bytes = input.length > MAX_LINE_BYTES ? input.subarray(0, BEGINNING_BYTES) : input;
  const text = decodeUtf8(bytes);
  if (text !== null) return { [member]: text } as InputRecord<Member>;
  return { [member]: lenient.decode(bytes), bytes: toHex(bytes) } as InputRecord<Member>;
}

const TAB = 0x09;
const SPACE = 0x20;
const NUMBER_SIGN = 0x23;

function isSpaceOrTab(line: string | Uint8Array, index: number): boolean {
  const code = typeof line === "string" ? line.charCodeAt(index) : line[index];
  return code === SPACE || code === TAB;
}

/**
 * The entry on a line of a plain-text list, without the spaces and TABs around it. `null` for a blank line, and for a
 * comment, which starts with `#`.
 */
export function entryOnLine<Line extends string | Uint8Array>(line: Line): Line | null {
  let start = 0;
  let end = line.length;
  while (start < end && isSpaceOrTab(line, start)) start++;
  while (end > start && isSpaceOrTab(line, end - 1)) end--;
  if (start === end) return null;
  const first = typeof line === "string" ? line.charCodeAt(start) : line[start];
  if (first === NUMBER_SIGN) return null;
  return (typeof line === "string" ? line.slice(start, end) : line.subarray(start, end)) as Line;
}
