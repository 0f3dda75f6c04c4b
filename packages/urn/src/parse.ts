import { type Reading, readUrn } from "./grammar/read-urn.ts";
import { notUrnError } from "./grammar/reading-error.ts";
import { assertString, chosenSyntax, type UrnSyntaxOptions } from "./options.ts";
import type { Urn } from "./urn.ts";

/**
 * Returns the parts of a URN, as written.
 *
 * Under `"rfc2141"`, the default, the three components are `null`, and `/`, `?` and `#` are ordinary
 * characters of the NSS. Nothing is normalized: see `normalizeUrn`. The whole text must be a URN; spaces
 * are not trimmed.
 *
 * @throws {UrnError} with one of the codes from `scheme-missing` to `f-component-character`, and the index
 * of the first wrong character.
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
  if (reading.end !== text.length) throw notUrnError(reading, syntax);
  return toUrn(reading);
}

/**
 * Returns the parts of a URN, or `null` when the text is not a URN. No exception is thrown and caught inside.
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
  return reading.end === text.length ? toUrn(reading) : null;
}

/**
 * Returns whether the whole text is a URN.
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

/** The record of the URN that a reading found. */
export function toUrn(reading: Reading): Urn {
  const { text } = reading;
  return {
    nid: text.slice(reading.nidStart, reading.nidEnd),
    nss: text.slice(reading.nssStart, reading.nssEnd),
    rComponent: reading.rStart === -1 ? null : text.slice(reading.rStart, reading.rEnd),
    qComponent: reading.qStart === -1 ? null : text.slice(reading.qStart, reading.qEnd),
    fComponent: reading.fStart === -1 ? null : text.slice(reading.fStart, reading.end),
  };
}
