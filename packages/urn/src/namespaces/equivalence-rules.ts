import type { NamespaceRules } from "../equivalence.ts";
import { serviceRule, uuidRule } from "./identifiers.ts";
import { isbnRule, issnRule } from "./isbn-and-issn.ts";
import { ignoreCase, ignoreCaseBefore } from "./namespace.ts";
import { nbnRule } from "./nbn.ts";
import { ietfRule, mpegRule } from "./standards.ts";
import { gsmaRule, newsmlRule, smpteRule } from "./without-parts.ts";

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
  mpeg: mpegRule,
  nbn: nbnRule,
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
  service: serviceRule,
  smpte: smpteRule,
  /** RFC 4195 §2: the category */
  tva: ignoreCaseBefore(":"),
  /** RFC 4179 §2: the prefix code */
  uci: ignoreCaseBefore("-"),
  uuid: uuidRule,
};
