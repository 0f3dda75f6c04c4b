import type { NamespaceRule } from "../equivalence.ts";
import { isUrn } from "../parse.ts";
import { ignoreCaseBefore } from "./ignore-case.ts";
import { type Namespace, namespace } from "./namespace.ts";

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
