import { UrnError, type UrnProblem } from "./error.ts";
import { assertString, chosenSyntax, type UrnSyntaxOptions } from "./options.ts";
import { notUrnProblem, scanUrn, type UrnScan } from "./scan-urn.ts";
import type { Urn } from "./urn.ts";

/**
 * Returns the parts of a URN, as written.
 *
 * Under `"rfc2141"`, the default, the three components are `null`, and `/`, `?` and `#` are ordinary characters of the
 * NSS. Nothing is normalized: see `normalizeUrn`. The whole text must be a URN, and spaces are not trimmed.
 *
 * @throws {UrnError} with one of the codes from `scheme-missing` to `f-component-character`, and the index of
 * the problem.
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
  const scan = scanUrn(text, 0, syntax);
  if (scan.end !== text.length) throw new UrnError(text, notUrnProblem(scan, syntax));
  return toUrn(scan);
}

/**
 * Returns the parts of a URN, or `null` when the text is not a URN. No error object is created.
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
  const scan = scanUrn(text, 0, chosenSyntax(options));
  return scan.end === text.length ? toUrn(scan) : null;
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
  return scanUrn(text, 0, chosenSyntax(options)).end === text.length;
}

/**
 * Describes in words why a text is not a URN, or returns `null` when the text is a URN. No error object is created,
 * because it would keep the text and a stack trace.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { urnProblem } from "@x/urn";
 *
 * urnProblem("urn:example:a b")?.code; // → "nss-character"
 * urnProblem("urn:example:a"); // → null
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function urnProblem(text: string, options?: UrnSyntaxOptions): UrnProblem | null {
  assertString(text, "text");
  const syntax = chosenSyntax(options);
  const scan = scanUrn(text, 0, syntax);
  return scan.end === text.length ? null : notUrnProblem(scan, syntax);
}

/** The record of the URN that a scan found. */
export function toUrn(scan: UrnScan): Urn {
  const { text } = scan;
  return {
    nid: text.slice(scan.nidStart, scan.nidEnd),
    nss: text.slice(scan.nssStart, scan.nssEnd),
    rComponent: scan.rStart === -1 ? null : text.slice(scan.rStart, scan.rEnd),
    qComponent: scan.qStart === -1 ? null : text.slice(scan.qStart, scan.qEnd),
    fComponent: scan.fStart === -1 ? null : text.slice(scan.fStart, scan.end),
  };
}
