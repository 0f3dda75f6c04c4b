import { typeError } from "./options.ts";

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
