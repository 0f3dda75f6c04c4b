import { isNumberWithX, modulus11 } from "./modulus-11.ts";
import { type Namespace, namespace } from "./namespace.ts";

/** The parts of an ISSN. */
export type IssnParts = {
  /** The two groups of four digits, or all digits in one element when there is no hyphen. */
  readonly elements: readonly string[];
};

/**
 * ISSNs. The hyphen and the case of `X` are ignored in comparisons.
 *
 * The registration of 2017, which replaced RFC 3044, is not covered.
 *
 * @example
 * ```ts
 * import { issn } from "@x/urn/namespaces";
 *
 * issn.tryParse("0259-000X"); // → { elements: ["0259", "000X"] }
 * issn.rule("0259-000x"); // → "0259000X"
 * ```
 * @see RFC 3044 §3.1 and §5
 */
export const issn: Namespace<IssnParts> = /* @__PURE__ */ namespace({
  nid: "issn",
  documents: ["RFC 3044"],
  form: {
    code: "issn-form",
    expected:
      "an ISSN: 8 digits, where the last may be X, with or without a hyphen after the fourth",
    section: "RFC 3044 §5",
  },
  parse: (nss) => (isNumberWithX(digitsOf(nss), 8) ? { elements: nss.split("-") } : null),
  write: ({ elements }) => elements.join("-"),
  conditions: [
    {
      code: "issn-check-digit",
      expected: "the last digit of the ISSN to match the others",
      section: "RFC 3044 §5",
      holds: (nss) => modulus11(digitsOf(nss)) === 0,
    },
  ],
  rule: issnRule,
});

/** RFC 3044 §5: the hyphen after the fourth digit does not count, and the check digit `x` becomes `X`. */
export function issnRule(nss: string): string {
  const digits = digitsOf(nss);
  return digits.length === 8 && digits.endsWith("x") ? `${digits.slice(0, 7)}X` : digits;
}

/** The hyphen after the fourth digit may be omitted. */
function digitsOf(nss: string): string {
  return nss.charAt(4) === "-" ? nss.slice(0, 4) + nss.slice(5) : nss;
}
