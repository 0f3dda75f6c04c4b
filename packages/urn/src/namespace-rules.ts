import type { NamespaceRule, NamespaceRules } from "./equivalence.ts";
import { isDigits } from "./runs.ts";

/**
 * The rule of a namespace whose NSS is compared without regard to case.
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
  // Escapes are in upper case in both NSSs, so they stay apart from letters: "%41" is no "%A1" and no "A".
  return nss.toLowerCase();
}

/**
 * The rule of a namespace in which only what stands before the first delimiter is compared without regard
 * to case. An NSS without the delimiter has no such part, and is compared as it is.
 *
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
  return (nss) => {
    const end = nss.indexOf(delimiter);
    return end === -1 ? nss : nss.slice(0, end).toLowerCase() + nss.slice(end);
  };
}

/** RFC 3187 §5: hyphens are removed, and `x` is `X`. ISBN-10 and ISBN-13 stay apart. */
function isbn(nss: string): string {
  return nss.replaceAll("-", "").replaceAll("x", "X");
}

/** RFC 3044 §5: the hyphen after the fourth digit may be omitted. */
export function issnDigits(nss: string): string {
  return nss.charAt(4) === "-" ? nss.slice(0, 4) + nss.slice(5) : nss;
}

/** RFC 3044 §5: a check digit `x` is `X`. */
function issn(nss: string): string {
  const digits = issnDigits(nss);
  return digits.length === 8 && digits.endsWith("x") ? `${digits.slice(0, 7)}X` : digits;
}

/**
 * RFC 7254 §3: an IMEI's value and parameters are compared in their order, without regard to case and
 * without `vers=0`. Nothing is said of other names of the namespace.
 */
function gsma(nss: string): string {
  const lower = nss.toLowerCase();
  if (!lower.startsWith("imei:")) return nss;
  return lower
    .split(";")
    .filter((parameter) => parameter !== "vers=0")
    .join(";");
}

/** RFC 5119 §2: only Universal Labels are compared without regard to case. */
function smpte(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("ul:") ? lower : nss;
}

/**
 * RFC 3085 §2: provider, date, item and revision are compared, without regard to case; the letter `A` or
 * `U` that may follow the revision is none of them.
 */
function newsml(nss: string): string {
  const fields = nss.toLowerCase().split(":");
  const revision = fields[3];
  const isUpdate = (revision?.endsWith("a") || revision?.endsWith("u")) ?? false;
  if (fields.length === 4 && isUpdate && isDigits(revision!.slice(0, -1))) {
    fields[3] = revision!.slice(0, -1);
  }
  return fields.join(":");
}

/**
 * The additional equivalences of registered namespaces, each from the text that registered it. A namespace
 * that is not listed adds none, or its registration has not been read: see the README's Conformance.
 *
 * A table like any other: `{ ...namespaceRules, acme: ignoreCase }` adds a namespace.
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
  gsma,
  /** RFC 7528 §2 */
  hbbtv: ignoreCase,
  /** RFC 8069 §2 */
  ieee: ignoreCase,
  /** RFC 2648 §2 */
  ietf: ignoreCase,
  /** RFC 4246 §2 */
  isan: ignoreCase,
  isbn,
  /** RFC 5141 §2.9 */
  iso: ignoreCase,
  issn,
  /** RFC 4617 §2 */
  ivis: ignoreCase,
  /** RFC 7818 §2 */
  mef: ignoreCase,
  /** RFC 3614 §2: the standard's name */
  mpeg: ignoreCaseBefore(":"),
  /** RFC 8458 §4.3: the country code and what divides it */
  nbn: ignoreCaseBefore("-"),
  newsml,
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
  smpte,
  /** RFC 4195 §2: the category */
  tva: ignoreCaseBefore(":"),
  /** RFC 4179 §2: the prefix code */
  uci: ignoreCaseBefore("-"),
  /** RFC 4122 §3: the fields are compared as numbers */
  uuid: ignoreCase,
};
