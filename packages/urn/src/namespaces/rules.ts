import type { NamespaceRule, NamespaceRules } from "../equivalence.ts";
import { assertString } from "../options.ts";

/**
 * The additional equivalences of registered namespaces, from the RFCs that registered them. A namespace
 * that is not listed has none, or its registration is not covered: see Conformance in docs/urns.md.
 *
 * To add a namespace of your own, copy the table: `{ ...namespaceRules, acme: ignoreCase }`.
 *
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { namespaceRules as namespaces } from "@x/urn/namespaces";
 *
 * equivalentUrns("urn:ietf:rfc:2648", "urn:IETF:RFC:2648", { namespaces }); // → true
 * equivalentUrns("urn:nbn:FI-fe1", "urn:nbn:fi-fe1", { namespaces }); // → true
 * equivalentUrns("urn:nbn:fi-FE1", "urn:nbn:fi-fe1", { namespaces }); // → false
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1
 */
export const namespaceRules: NamespaceRules = {
  /** RFC 8107 §2 */
  adid: ignoreCase,
  /** RFC 7462 §7 */
  alert: ignoreCase,
  /** RFC 7738 §3.10: the subnamespace identifier */
  ccsds: ignoreCaseBefore(":"),
  /** RFC 4152 §2 */
  clei: ignoreCase,
  /** RFC 5328 §2 */
  dvb: ignoreCase,
  /** RFC 5174 §2: the category */
  ebu: ignoreCaseBefore(":"),
  /** RFC 7972 §2 */
  eidr: ignoreCase,
  /** RFC 8515 §2 */
  etsi: ignoreCase,
  /** RFC 4198 §3: the provider's domain name */
  fdc: ignoreCaseBefore(":"),
  gsma: gsmaRule,
  /** RFC 7528 §2 */
  hbbtv: ignoreCase,
  /** RFC 8069 §2 */
  ieee: ignoreCase,
  ietf: ietfRule,
  /** RFC 4246 §2 */
  isan: ignoreCase,
  isbn: isbnRule,
  /** RFC 5141 §2.9 */
  iso: ignoreCase,
  issn: issnRule,
  /** RFC 4617 §2 */
  ivis: ignoreCase,
  /** RFC 7818 §2 */
  mef: ignoreCase,
  /** RFC 3614 §2: the name of the standard */
  mpeg: ignoreCaseBefore(":"),
  /** RFC 8458 §4.3: the country code and its subdivisions */
  nbn: ignoreCaseBefore("-"),
  newsml: newsmlRule,
  /** RFC 4350 §2 */
  nzl: ignoreCase,
  /** RFC 6453 §2.10: the subnamespace identifier */
  ogf: ignoreCaseBefore(":"),
  /** RFC 6893 §2 */
  oipf: ignoreCase,
  /** RFC 3043 §2 */
  pin: ignoreCase,
  /** RFC 4688 §2 */
  s1000d: ignoreCase,
  /** RFC 5031 §3 */
  service: ignoreCase,
  smpte: smpteRule,
  /** RFC 4195 §2: the category */
  tva: ignoreCaseBefore(":"),
  /** RFC 4179 §2: the prefix code */
  uci: ignoreCaseBefore("-"),
  /** RFC 9562 §4 */
  uuid: ignoreCase,
};

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

/**
 * RFC 7254 §3: the value and the parameters of an IMEI are compared in order. Case and `vers=0` are ignored.
 * Other names of the namespace have no rule.
 */
function gsmaRule(nss: string): string {
  const lower = nss.toLowerCase();
  if (!lower.startsWith("imei:")) return nss;
  return lower
    .split(";")
    .filter((parameter) => parameter !== "vers=0")
    .join(";");
}

/** RFC 2648 §2: case does not matter, except after `params:` (RFC 3553 §3). */
function ietfRule(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("params:") ? lower.slice(0, 7) + nss.slice(7) : lower;
}

/** RFC 3187 §5: hyphens are removed, and `x` becomes `X`. */
function isbnRule(nss: string): string {
  return nss.replaceAll("-", "").replaceAll("x", "X");
}

/** RFC 3044 §5: the hyphen after the fourth digit does not count, and the check digit `x` becomes `X`. */
function issnRule(nss: string): string {
  const digits = digitsOfIssn(nss);
  return digits.length === 8 && digits.endsWith("x") ? `${digits.slice(0, 7)}X` : digits;
}

/** RFC 3044 §5: the hyphen after the fourth digit may be omitted. */
export function digitsOfIssn(nss: string): string {
  return nss.charAt(4) === "-" ? nss.slice(0, 4) + nss.slice(5) : nss;
}

/**
 * RFC 3085 §2: the provider, date, item and revision are compared. Case and the letter `A` or `U` after the
 * revision are ignored.
 */
function newsmlRule(nss: string): string {
  const fields = nss.toLowerCase().split(":");
  if (fields.length === 4) fields[3] = fields[3]!.replace(/^([0-9]+)[au]$/, "$1");
  return fields.join(":");
}

/** RFC 5119 §2: only Universal Labels are compared without regard to case. */
function smpteRule(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("ul:") ? lower : nss;
}
