import { isUrn } from "../parse.ts";
import { type Namespace, namespace } from "./namespace.ts";

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
