import type { NamespaceRule } from "../equivalence.ts";
import { isUrn } from "../parse.ts";
import {
  ignoreCaseBefore,
  isDigits,
  isLettersDigitsAndHyphens,
  type Namespace,
  namespace,
} from "./namespace.ts";

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

/** The parts of the OASIS name of a document, or of something that a member has named. */
export type OasisParts =
  | {
      readonly branch: "names";
      /** `"specification"`, `"tc"` or `"technical"`. */
      readonly documentClass: string;
      /**
       * The fields after the class, at least three. For `specification` and `tc`: the specification or committee, the
       * type, optionally a subtype, and the document, which may itself have colons. For `technical`: the type, the
       * document and the amendment.
       */
      readonly fields: readonly string[];
    }
  | {
      readonly branch: "member";
      readonly memberId: string;
      /** The name that the member has chosen. */
      readonly name: string;
    };

const CLASSES: readonly unknown[] = ["specification", "tc", "technical"];

/**
 * OASIS names. The names are compared by the rules for all URNs.
 *
 * @example
 * ```ts
 * import { oasis } from "@x/urn/namespaces";
 *
 * oasis.tryParse("names:tc:SAML:2.0:assertion"); // → { branch: "names", documentClass: "tc", fields: ["SAML", "2.0", "assertion"] }
 * oasis.tryParse("member:A00024:x"); // → { branch: "member", memberId: "A00024", name: "x" }
 * ```
 * @see RFC 3121 §2
 */
export const oasis: Namespace<OasisParts> = /* @__PURE__ */ namespace({
  nid: "oasis",
  documents: ["RFC 3121"],
  form: {
    code: "oasis-form",
    expected:
      "names: with specification, tc or technical and three or more fields, or member: with the member's identifier and a name",
    section: "RFC 3121 §2",
  },
  parse: (nss): OasisParts | null => {
    const [branch, first = "", ...rest] = nss.split(":");
    if (branch === "member") {
      const name = rest.join(":");
      return first !== "" && name !== "" ? { branch, memberId: first, name } : null;
    }
    const isName =
      branch === "names" && CLASSES.includes(first) && rest.length >= 3 && !rest.includes("");
    return isName ? { branch, documentClass: first, fields: rest } : null;
  },
  write: (parts) =>
    parts.branch === "member"
      ? `member:${parts.memberId}:${parts.name}`
      : `names:${[parts.documentClass, ...parts.fields].join(":")}`,
});

/** The parts of an MPEG name. */
export type MpegParts = {
  /** The name of the standard, such as `"mpeg7"`. */
  readonly standard: string;
  /** The assigned string, such as `"schema:2001"`. */
  readonly name: string;
};

/** RFC 3614 §2: case does not matter in the name of the standard. */
export const mpegRule: NamespaceRule = /* @__PURE__ */ ignoreCaseBefore(":");

/**
 * Names in MPEG standards. The case of the standard's name is ignored in comparisons.
 *
 * @example
 * ```ts
 * import { mpeg } from "@x/urn/namespaces";
 *
 * mpeg.tryParse("mpeg7:cs:GenreCS:2001"); // → { standard: "mpeg7", name: "cs:GenreCS:2001" }
 * mpeg.rule("MPEG7:cs:GenreCS:2001"); // → "mpeg7:cs:GenreCS:2001"
 * ```
 * @see RFC 3614 §2
 */
export const mpeg: Namespace<MpegParts> = /* @__PURE__ */ namespace({
  nid: "mpeg",
  documents: ["RFC 3614"],
  form: {
    code: "mpeg-form",
    expected: "the name of an MPEG standard, a colon and a name, in the characters of RFC 2141",
    section: "RFC 3614 §2",
  },
  parse: (nss) => {
    const colon = nss.indexOf(":");
    const isName = colon > 0 && colon < nss.length - 1 && isUrn(`urn:mpeg:${nss}`);
    return isName ? { standard: nss.slice(0, colon), name: nss.slice(colon + 1) } : null;
  },
  write: ({ standard, name }) => `${standard}:${name}`,
  rule: mpegRule,
});

/** The parts of a 3GPP name. */
export type ThreeGppParts = {
  /** The whole name: RFC 5279 defines no structure for it. */
  readonly name: string;
};

/**
 * 3GPP names. The names are compared by the rules for all URNs.
 *
 * @example
 * ```ts
 * import { threeGpp } from "@x/urn/namespaces";
 *
 * threeGpp.tryParse("acme.foo-serv"); // → { name: "acme.foo-serv" }
 * ```
 * @see RFC 5279 §2
 */
export const threeGpp: Namespace<ThreeGppParts> = /* @__PURE__ */ namespace({
  nid: "3gpp",
  documents: ["RFC 5279"],
  form: {
    code: "3gpp-form",
    expected: "a name in the characters of RFC 2141",
    section: "RFC 5279 §2",
  },
  parse: (name) => (isUrn(`urn:3gpp:${name}`) ? { name } : null),
  write: ({ name }) => name,
});
