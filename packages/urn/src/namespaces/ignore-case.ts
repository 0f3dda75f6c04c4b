import type { NamespaceRule } from "../equivalence.ts";
import { assertString } from "../options.ts";

/**
 * The rule for a namespace that compares NSSs without regard to case.
 *
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { ignoreCase, namespaceRules } from "@x/urn/namespaces";
 *
 * const namespaces = { ...namespaceRules, acme: ignoreCase };
 * equivalentUrns("urn:acme:A", "urn:acme:a", { namespaces }); // → true
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1
 */
export function ignoreCase(nss: string): string {
  // Escapes are not decoded, so an escape never equals a letter: "%41" is not "A".
  return nss.toLowerCase();
}

/**
 * Returns the rule for a namespace that ignores case only before the first delimiter. An NSS without the
 * delimiter is compared as it is.
 *
 * @throws {TypeError} when the delimiter is not a string.
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { ignoreCaseBefore } from "@x/urn/namespaces";
 *
 * const namespaces = { acme: ignoreCaseBefore(":") };
 * equivalentUrns("urn:acme:A:x", "urn:acme:a:x", { namespaces }); // → true
 * equivalentUrns("urn:acme:a:X", "urn:acme:a:x", { namespaces }); // → false
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1
 */
export function ignoreCaseBefore(delimiter: string): NamespaceRule {
  assertString(delimiter, "delimiter");
  return (nss) => {
    const end = nss.indexOf(delimiter);
    return end === -1 ? nss : nss.slice(0, end).toLowerCase() + nss.slice(end);
  };
}
