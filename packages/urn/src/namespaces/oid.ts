import { type Namespace, namespace } from "./namespace.ts";
import type { Condition } from "./namespace-check.ts";

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
