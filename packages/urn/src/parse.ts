import { UrnError, type UrnProblem } from "./error.ts";
import { assertString, chosenSyntax, typeError, type UrnSyntaxOptions } from "./options.ts";
import { notUrnProblem, scanUrn, type UrnScan } from "./scan-urn.ts";

/**
 * The parts of a URN, as written. Nothing is decoded, and upper and lower case are kept.
 *
 * @see RFC 2141 §2 and RFC 8141 §2
 */
export interface Urn {
  /** The namespace identifier, such as `"isbn"` in `urn:isbn:0451450523`. */
  readonly nid: string;
  /** The namespace-specific string, with its escapes. Under `"rfc2141"` it may contain `/`, `?` and `#`. */
  readonly nss: string;
  /** The part after `?+`. The value is `null` when there is none, and always under `"rfc2141"`. */
  readonly rComponent: string | null;
  /** The part after `?=`. The value is `null` when there is none, and always under `"rfc2141"`. */
  readonly qComponent: string | null;
  /** The part after `#`, which may be `""`. The value is `null` when there is no `#`, and always under `"rfc2141"`. */
  readonly fComponent: string | null;
}

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

/** Throws a `TypeError` unless the value has the fields of a {@link Urn}. */
export function assertUrn(urn: Urn): void {
  if (typeof urn !== "object" || urn === null)
    throw typeError("urn", "the record of a URN's parts", urn);
  const isComponent = (part: unknown) => part === null || typeof part === "string";
  if (
    typeof urn.nid !== "string" ||
    typeof urn.nss !== "string" ||
    !isComponent(urn.rComponent) ||
    !isComponent(urn.qComponent) ||
    !isComponent(urn.fComponent)
  ) {
    throw new TypeError("urn must have strings as nid and nss, and strings or null as components");
  }
}

/**
 * Returns whether a URN contains an unescaped `/`, `?` or `#`. RFC 2141 accepts these reserved characters, but
 * says that namespaces SHOULD NOT use them. The `?` and `#` before components also count.
 *
 * @throws {TypeError} when the argument is not the record of a URN.
 * @example
 * ```ts
 * import { parseUrn, usesReservedCharacters } from "@x/urn";
 *
 * usesReservedCharacters(parseUrn("urn:example:a/b")); // → true
 * usesReservedCharacters(parseUrn("urn:example:a%2Fb")); // → false
 * ```
 * @see RFC 2141 §2.3.2
 */
export function usesReservedCharacters(urn: Urn): boolean {
  assertUrn(urn);
  return (
    urn.rComponent !== null ||
    urn.qComponent !== null ||
    urn.fComponent !== null ||
    ["/", "?", "#"].some((reserved) => urn.nss.includes(reserved))
  );
}
