import type { NamespaceRule } from "../equivalence.ts";
import { ignoreCase } from "./ignore-case.ts";
import { type Namespace, namespace } from "./namespace.ts";

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
