import type { NamespaceRule } from "../equivalence.ts";
import { type Condition, ignoreCase, type Namespace, namespace } from "./namespace.ts";

/** The parts of a UUID. */
export type UuidParts = {
  /** All 32 hexadecimal digits, in upper or lower case as written. */
  readonly digits: string;
  /**
   * The layout: `"rfc9562"` for the UUIDs of that document. The Nil UUID counts as `"ncs"`, the Max UUID as
   * `"future"`.
   */
  readonly variant: "ncs" | "rfc9562" | "microsoft" | "future";
  /** The version, 0 to 15, of a UUID whose variant is `"rfc9562"`, or `null` for others. */
  readonly version: number | null;
};

/** RFC 9562 §4: case does not matter. */
export const uuidRule: NamespaceRule = ignoreCase;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * UUIDs of every version and variant. UUIDs are compared without regard to case.
 *
 * A fragment after the UUID is an f-component. Only RFC 8141 has components. Under `"rfc2141"`, the `#` would be part
 * of the name, which would then not be a UUID.
 *
 * @example
 * ```ts
 * import { uuid } from "@x/urn/namespaces";
 *
 * uuid.tryParse("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")?.version; // → 1
 * uuid.tryParse("00000000-0000-0000-0000-000000000000")?.variant; // → "ncs"
 * ```
 * @see RFC 9562 §4, §4.1 and §4.2
 */
export const uuid: Namespace<UuidParts> = /* @__PURE__ */ namespace({
  nid: "uuid",
  documents: ["RFC 9562"],
  form: {
    code: "uuid-form",
    expected:
      "a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12, with hyphens between them",
    section: "RFC 9562 §4",
  },
  parse: (nss) => {
    if (!UUID.test(nss)) return null;
    const digits = nss.replaceAll("-", "");
    const variant = variantOf(hexDigit(digits, 16));
    return { digits, variant, version: variant === "rfc9562" ? hexDigit(digits, 12) : null };
  },
  write: ({ digits }) =>
    [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map((span) => digits.slice(...span)).join("-"),
  rule: uuidRule,
});

function hexDigit(digits: string, index: number): number {
  return Number.parseInt(digits.charAt(index), 16);
}

/** Table 1 of §4.1, by the most significant bits of octet 8. */
function variantOf(bits: number): UuidParts["variant"] {
  if (bits < 0b1000) return "ncs";
  if (bits < 0b1100) return "rfc9562";
  return bits < 0b1110 ? "microsoft" : "future";
}

/** The parts of an OID. */
export type OidParts = {
  /** The numbers from the root, as text, because they may be too large for an exact `number`. */
  readonly arcs: readonly string[];
};

const ROOTS: Condition = {
  code: "oid-arc",
  expected:
    "the first number of the OID to be 0, 1 or 2, and the second to be below 40 when the first is 0 or 1",
  section: "ITU-T X.660",
  holds: (nss) => {
    const [first = "", second = ""] = nss.split(".", 2);
    return first === "2" || ((first === "0" || first === "1") && Number(second) < 40);
  },
};

/**
 * Object identifiers. The names are compared by the rules for all URNs.
 *
 * @example
 * ```ts
 * import { oid } from "@x/urn/namespaces";
 *
 * oid.tryParse("1.3.6.1"); // → { arcs: ["1", "3", "6", "1"] }
 * oid.tryParse("1.03"); // → null
 * ```
 * @see RFC 3061 §2
 */
export const oid: Namespace<OidParts> = /* @__PURE__ */ namespace({
  nid: "oid",
  documents: ["RFC 3061"],
  form: {
    code: "oid-form",
    expected: "an OID: numbers without leading zeros, with dots between them",
    section: "RFC 3061 §2",
  },
  parse: (nss) => {
    const arcs = nss.split(".");
    return arcs.every((arc) => /^(?:0|[1-9][0-9]*)$/.test(arc)) ? { arcs } : null;
  },
  write: ({ arcs }) => arcs.join("."),
  conditions: [ROOTS],
});

/** The parts of the name of a service. */
export type ServiceParts = {
  /** The kind of service, such as `"sos"`. */
  readonly topLevel: string;
  /** The narrower services, from the outermost, such as `["police"]`. */
  readonly subServices: readonly string[];
};

/** RFC 5031 §3: case does not matter. */
export const serviceRule: NamespaceRule = ignoreCase;

/**
 * Services, such as emergency services in SIP. The names are compared without regard to case.
 *
 * @example
 * ```ts
 * import { service } from "@x/urn/namespaces";
 *
 * service.tryParse("sos.police"); // → { topLevel: "sos", subServices: ["police"] }
 * service.rule("SOS.Police"); // → "sos.police"
 * ```
 * @see RFC 5031 §3
 */
export const service: Namespace<ServiceParts> = /* @__PURE__ */ namespace({
  nid: "service",
  documents: ["RFC 5031"],
  form: {
    code: "service-form",
    expected:
      "labels of letters, digits and inner hyphens, with dots between them, and a first label of at most 27 characters",
    section: "RFC 5031 §3",
  },
  parse: (nss) => {
    const [topLevel = "", ...subServices] = nss.split(".");
    const isService = topLevel.length <= 27 && isLabel(topLevel) && subServices.every(isLabel);
    return isService ? { topLevel, subServices } : null;
  },
  write: ({ topLevel, subServices }) => [topLevel, ...subServices].join("."),
  rule: serviceRule,
});

/** `let-dig [ *let-dig-hyp let-dig ]` */
function isLabel(label: string): boolean {
  return /^[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?$/.test(label);
}
