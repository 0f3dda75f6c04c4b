import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { toHex } from "@x/sha256-prefix";
import { decodeUtf8, printableInShort } from "./printable/printable.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

/** The number of bytes of an overlong line that are quoted and kept in its record. */
const BEGINNING_BYTES = 256;

/**
 * Returns the refusal of a line that is longer than `MAX_LINE_BYTES` of `@x/lookup/lines`; otherwise `null`.
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
 *
 * @example
 * ```ts
 * import { inputText } from "@x/explain";
 *
 * inputText(new TextEncoder().encode("urn:a:b")); // → "urn:a:b"
 * const refused = inputText(Uint8Array.of(0x61, 0xff));
 * typeof refused === "string" || refused.error.message; // → '"a\\xff" is not UTF-8'
 * ```
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
 *
 * @example
 * ```ts
 * import { inputRecord } from "@x/explain";
 *
 * inputRecord("urn:a:b", "urn"); // → { urn: "urn:a:b" }
 * inputRecord(Uint8Array.of(0x61, 0xff), "url"); // → { url: "a\ufffd", bytes: "61ff" }
 * ```
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

function isBlankAt(line: string | Uint8Array, index: number): boolean {
  const code = typeof line === "string" ? line.charCodeAt(index) : line[index];
  return code === SPACE || code === TAB;
}

/**
 * The entry on a line of a plain-text list, without the spaces and TABs around it. `null` for a blank line, and for a
 * comment, which starts with `#`.
 *
 * @example
 * ```ts
 * import { entryOnLine } from "@x/explain";
 *
 * entryOnLine("  evil.example\t"); // → "evil.example"
 * entryOnLine(" # two sites"); // → null
 * ```
 */
export function entryOnLine<Line extends string | Uint8Array>(line: Line): Line | null {
  let start = 0;
  let end = line.length;
  while (start < end && isBlankAt(line, start)) start++;
  while (end > start && isBlankAt(line, end - 1)) end--;
  if (start === end) return null;
  const first = typeof line === "string" ? line.charCodeAt(start) : line[start];
  if (first === NUMBER_SIGN) return null;
  return (typeof line === "string" ? line.slice(start, end) : line.subarray(start, end)) as Line;
}
