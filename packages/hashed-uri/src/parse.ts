import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError, type SyntaxCode } from "./error.ts";

/** The parts of a hashed URI. */
export interface HashedUri {
  /** The algorithm, such as `"sha1"`, `"md5"` or `"x-sha256"`. The parser returns it in lower case. */
  readonly algorithm: string;
  /** The hash, as any number of hexadecimal digits. The parser returns them in lower case. */
  readonly value: string;
  /** Whether the fragment of the initial URI was hashed too (`+frag`). */
  readonly fragment: boolean;
  /** Whether the query of the initial URI was hashed too (`+query`). */
  readonly query: boolean;
}

/**
 * The parts of a hashed URI, with the algorithm and the value in lower case.
 *
 * Any algorithm and any number of hexadecimal digits are accepted, even if nothing can match them. Flags may
 * come in any order and more than once. White space around the text is not allowed.
 *
 * @throws {@link HashedUriError} `scheme-not-hashed`, `hash-algorithm-invalid`,
 * `hash-value-invalid` or `flag-invalid`, with the index where the problem starts.
 * @throws TypeError when `text` is not a string.
 *
 * @example
 * ```ts
 * import { parseHashedUri } from "@x/hashed-uri";
 *
 * const hashed = parseHashedUri("HASHED:SHA1=31A79A96E0404778A3B95CB426B04B6114A604A5+FRAG");
 * hashed.algorithm; // → "sha1"
 * hashed.value; // → "31a79a96e0404778a3b95cb426b04b6114a604a5"
 * [hashed.fragment, hashed.query]; // → [true, false]
 * parseHashedUri("hashed:sha1="); // throws hash-value-invalid
 * ```
 * @see draft-feather-hashed-uri-03 §4.1
 */
export function parseHashedUri(text: string): HashedUri {
  const onFailure = (code: SyntaxCode, index: number): never => {
    throw new HashedUriError(code, text, index);
  };
  return parseSyntax<HashedUri>(text, (hashed) => hashed, onFailure);
}

/**
 * Like {@link parseHashedUri}, but returns `null` for text that is not a hashed URI.
 *
 * @throws TypeError when `text` is not a string.
 *
 * @example
 * ```ts
 * import { tryParseHashedUri } from "@x/hashed-uri";
 *
 * tryParseHashedUri("# a comment"); // → null
 * ```
 * @see draft-feather-hashed-uri-03 §4.1
 */
export function tryParseHashedUri(text: string): HashedUri | null {
  return parseSyntax<HashedUri | null>(
    text,
    (hashed) => hashed,
    () => null,
  );
}

// Without the flag `u`, the flag `i` matches no letter outside ASCII, such as U+212A for "k".
const SCHEME = /hashed:/iy;
const IDENTIFIER = /[a-z0-9.-]*/iy;
const HEX_DIGITS = /[0-9a-f]*/iy;
const FRAGMENT_FLAG = /\+frag/iy;
const QUERY_FLAG = /\+query/iy;

/**
 * Calls `onSuccess` with the parts, or `onFailure` with the problem and its index, and returns the result of
 * that call.
 */
export function parseSyntax<Result>(
  text: string,
  onSuccess: (hashed: HashedUri) => Result,
  onFailure: (code: SyntaxCode, index: number) => Result,
): Result {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const schemeEnd = endOf(SCHEME, text, 0);
  if (schemeEnd < 0) return onFailure("scheme-not-hashed", 0);
  const algorithmEnd = endOf(IDENTIFIER, text, schemeEnd);
  if (algorithmEnd === schemeEnd || text[algorithmEnd] !== "=") {
    return onFailure("hash-algorithm-invalid", algorithmEnd);
  }
  const valueStart = algorithmEnd + 1;
  const valueEnd = endOf(HEX_DIGITS, text, valueStart);
  if (valueEnd === valueStart) return onFailure("hash-value-invalid", valueStart);

  let fragment = false;
  let query = false;
  for (let index = valueEnd; index < text.length; ) {
    const fragmentEnd = endOf(FRAGMENT_FLAG, text, index);
    const end = fragmentEnd < 0 ? endOf(QUERY_FLAG, text, index) : fragmentEnd;
    if (end < 0) return onFailure("flag-invalid", index);
    if (end === fragmentEnd) fragment = true;
    else query = true;
    index = end;
  }
  const algorithm = text.slice(schemeEnd, algorithmEnd).toLowerCase();
  const value = text.slice(valueStart, valueEnd).toLowerCase();
  return onSuccess({ algorithm, value, fragment, query });
}

/** The index after a match that starts at `start`, or -1 if there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
