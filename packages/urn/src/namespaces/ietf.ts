import { type Namespace, namespace } from "./namespace.ts";
import { isDigits, isLettersDigitsAndHyphens } from "./namespace-check.ts";

/** The parts of an IETF name. */
export type IetfParts = {
  /** The first field, such as `"rfc"` or `"params"`, in upper or lower case as written. */
  readonly series: string;
  /** The fields after the series, such as `["2141"]` or `["dns", "rr-type-codes"]`. */
  readonly names: readonly string[];
};

/**
 * Documents, meetings and protocol parameters of the IETF.
 *
 * The names are compared without regard to case, except after `params:`, where RFC 3553 requires an exact match. Series
 * that RFC 6924 does not list may have any fields, because new series may be registered.
 *
 * @example
 * ```ts
 * import { ietf } from "@x/urn/namespaces";
 *
 * ietf.tryParse("rfc:2141"); // → { series: "rfc", names: ["2141"] }
 * ietf.rule("RFC:2141"); // → "rfc:2141"
 * ietf.rule("Params:SCIM"); // → "params:SCIM"
 * ```
 * @see RFC 2648 §2, RFC 3553 §3, RFC 6924
 */
export const ietf: Namespace<IetfParts> = /* @__PURE__ */ namespace({
  nid: "ietf",
  documents: ["RFC 2648", "RFC 3553", "RFC 6924"],
  form: {
    code: "ietf-form",
    expected:
      "a number after rfc:, fyi:, std: and bcp:, letters, digits and hyphens after id: and mtg:, and names with colons between them after params:",
    section: "RFC 2648 §2",
  },
  parse: (nss) => {
    const [series = "", ...names] = nss.split(":");
    const isName = isLettersDigitsAndHyphens(series) && hasForm(series.toLowerCase(), names);
    return isName ? { series, names } : null;
  },
  write: ({ series, names }) => [series, ...names].join(":"),
  rule: ietfRule,
});

/** RFC 2648 §2: case does not matter, except after `params:` (RFC 3553 §3). */
export function ietfRule(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("params:") ? lower.slice(0, 7) + nss.slice(7) : lower;
}

function hasForm(series: string, names: readonly string[]): boolean {
  const [name = ""] = names;
  switch (series) {
    case "rfc":
    case "fyi":
    case "std":
    case "bcp":
      return names.length === 1 && isDigits(name);
    case "id":
    case "mtg":
      return names.length === 1 && isLettersDigitsAndHyphens(name);
    case "params":
      return names.length > 0 && !names.includes("");
    default:
      return true;
  }
}
