import { type Namespace, namespace } from "./namespace.ts";

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
