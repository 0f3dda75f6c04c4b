import { CASE_BIT } from "./ascii.ts";
import { codeUnitAt } from "./character-classes.ts";
import { type Reading, readUrn } from "./grammar.ts";
import { readingError } from "./problem.ts";
import { assertString, chosenSyntax, type UrnSyntaxOptions } from "./syntax.ts";
import type { Urn } from "./urn.ts";

/**
 * The parts of a URN, as written.
 *
 * Under `"rfc2141"`, the default, the three components are `null` and `/`, `?` and `#` are ordinary
 * characters of the NSS. Nothing is normalized: see `normalizeUrn`. The whole text must be a URN: no
 * spaces are trimmed.
 *
 * @throws {UrnError} with one of the codes that its `code` lists from `scheme-missing` to
 * `f-component-character`, and the offset of the first character that is wrong.
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { parseUrn } from "@x/urn";
 *
 * parseUrn("urn:isbn:0-395-36341-1").nss; // → "0-395-36341-1"
 * parseUrn("urn:example:a?=q#f", { syntax: "rfc8141" }).qComponent; // → "q"
 * parseUrn("urn:example:a b"); // throws nss-character
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function parseUrn(text: string, options?: UrnSyntaxOptions): Urn {
  assertString(text, "text");
  const syntax = chosenSyntax(options);
  const reading = readUrn(text, 0, syntax);
  if (reading.end !== text.length) {
    throw readingError(text, reading, syntax);
  }
  return toUrn(text, reading, 0, text.length);
}

/**
 * The parts of a URN, or `null` when the text is none; it costs no exception.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { tryParseUrn } from "@x/urn";
 *
 * tryParseUrn("urn:ietf:rfc:2141")?.nid; // → "ietf"
 * tryParseUrn("http://example.com/"); // → null
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function tryParseUrn(text: string, options?: UrnSyntaxOptions): Urn | null {
  assertString(text, "text");
  const reading = readUrn(text, 0, chosenSyntax(options));
  return reading.end === text.length ? toUrn(text, reading, 0, text.length) : null;
}

/**
 * Whether the whole text is a URN.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { isUrn } from "@x/urn";
 *
 * isUrn("urn:example:a~b"); // → false
 * isUrn("urn:example:a~b", { syntax: "rfc8141" }); // → true
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function isUrn(text: string, options?: UrnSyntaxOptions): boolean {
  assertString(text, "text");
  return readUrn(text, 0, chosenSyntax(options)).end === text.length;
}

/** The record of the URN that a reading found between `start` and `end`. */
export function toUrn(text: string, reading: Reading, start: number, end: number): Urn {
  const urn: Urn = {
    nid: text.slice(reading.nidStart, reading.nidEnd),
    nss: text.slice(reading.nssStart, reading.nssEnd),
    rComponent: reading.rStart === -1 ? null : text.slice(reading.rStart, reading.rEnd),
    qComponent: reading.qStart === -1 ? null : text.slice(reading.qStart, reading.qEnd),
    fComponent: reading.fStart === -1 ? null : text.slice(reading.fStart, end),
  };
  if (!isLowerCase(text, start)) {
    const scheme = text.slice(start, start + 3);
    // Without a prototype, from which a descriptor inherits like any other object.
    Object.defineProperty(urn, "scheme", { __proto__: null, value: scheme } as PropertyDescriptor);
  }
  return urn;
}

/** Whether the three letters that are known to stand at `at` are in lower case. */
function isLowerCase(text: string, at: number): boolean {
  const common = codeUnitAt(text, at) & codeUnitAt(text, at + 1) & codeUnitAt(text, at + 2);
  return (common & CASE_BIT) !== 0;
}
