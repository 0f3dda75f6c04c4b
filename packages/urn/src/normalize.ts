import { ASCII_END, HEX, isClass } from "./characters.ts";
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
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= ASCII_END) return text;
  }
  return text.toLowerCase();
}

/** The text with the hexadecimal digits of each escape in upper case. */
export function upperCaseEscapes(text: string): string {
  let result = "";
  let copied = 0;
  let at = text.indexOf("%");
  while (at !== -1) {
    if (isClass(text.charCodeAt(at + 1), HEX) && isClass(text.charCodeAt(at + 2), HEX)) {
      result += text.slice(copied, at) + text.slice(at, at + 3).toUpperCase();
      copied = at + 3;
      at = text.indexOf("%", copied);
    } else {
      at = text.indexOf("%", at + 1);
    }
  }
  return result + text.slice(copied);
}
