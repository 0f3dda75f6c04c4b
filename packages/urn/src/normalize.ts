import { assertUrn, type Urn } from "./urn.ts";

/**
 * Returns the URN in its normal form: the NID in lower case, and the hexadecimal digits of escapes in upper
 * case.
 *
 * Nothing else changes: escapes are not decoded, and other letters keep their case. Two URNs are
 * equivalent when their normal forms have the same NID and NSS.
 *
 * @throws {TypeError} when the argument is not the record of a URN.
 * @example
 * ```ts
 * import { formatUrn, normalizeUrn, parseUrn } from "@x/urn";
 *
 * formatUrn(normalizeUrn(parseUrn("URN:FOO:a123%2cB"))); // → "urn:foo:a123%2CB"
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1, RFC 3986 §6.2.2.1
 */
export function normalizeUrn(urn: Urn): Urn {
  assertUrn(urn);
  return {
    nid: lowerCase(urn.nid),
    nss: upperCaseEscapes(urn.nss),
    rComponent: urn.rComponent === null ? null : upperCaseEscapes(urn.rComponent),
    qComponent: urn.qComponent === null ? null : upperCaseEscapes(urn.qComponent),
    fComponent: urn.fComponent === null ? null : upperCaseEscapes(urn.fComponent),
  };
}

/**
 * Returns ASCII text in lower case. Other text, which a record made by hand may contain, stays as it is: the
 * lower case of the Kelvin sign is an ASCII `k`.
 */
export function lowerCase(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text : text.toLowerCase();
}

/** The text with the hexadecimal digits of each escape in upper case. */
export function upperCaseEscapes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (digits) => digits.toUpperCase());
}
