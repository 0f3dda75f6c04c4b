import type { NamespaceRule } from "../equivalence.ts";
import { ignoreCase } from "./ignore-case.ts";
import { type Namespace, namespace } from "./namespace.ts";

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
