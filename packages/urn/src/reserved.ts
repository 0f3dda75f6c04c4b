import { assertUrn } from "./format.ts";
import type { Urn } from "./urn.ts";

/**
 * Whether a URN uses `/`, `?` or `#` unescaped, which RFC 2141 reserves: they are accepted, but
 * namespaces SHOULD NOT use them. The `?` and `#` that introduce components count.
 *
 * @throws {TypeError} when the argument is not a URN's record.
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
