export { type ThreeGppParts, threeGpp } from "./namespaces/3gpp.ts";
export { namespaceRules } from "./namespaces/equivalence-rules.ts";
export { type IetfParts, ietf } from "./namespaces/ietf.ts";
export { ignoreCase, ignoreCaseBefore } from "./namespaces/ignore-case.ts";
export { type IsbnParts, isbn } from "./namespaces/isbn.ts";
export { type IssnParts, issn } from "./namespaces/issn.ts";
export { type LexParts, lex } from "./namespaces/lex.ts";
export { type MpegParts, mpeg } from "./namespaces/mpeg.ts";
export type { Namespace, NamespaceParts } from "./namespaces/namespace.ts";
export type { NamespaceCheck, NamespaceProblem } from "./namespaces/namespace-check.ts";
export { type NbnParts, nbn } from "./namespaces/nbn.ts";
export { type OasisParts, oasis } from "./namespaces/oasis.ts";
export { type OidParts, oid } from "./namespaces/oid.ts";
export { type ServiceParts, service } from "./namespaces/service.ts";
export {
  type CheckNamespaceOptions,
  checkNamespace,
  type NamespaceChecks,
  type NamespacePartsOptions,
  type Namespaces,
  namespaceChecks,
  namespaceParts,
  namespaces,
} from "./namespaces/table.ts";
export { type UuidParts, uuid } from "./namespaces/uuid.ts";
